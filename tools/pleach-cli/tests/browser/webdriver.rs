//! A browser without a window, driven by the WebDriver protocol: JSON over HTTP to a `chromedriver`
//! of one's own, as few of its words as the tests need.

use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Program that commands the browser.
const DRIVER: &str = "chromedriver";
/// Possible names of the browser.
const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// Whatever is waited for comes within this, on whatever machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Between two looks at the page.
const PAUSE: Duration = Duration::from_millis(30);

/// Keys that are no letters.
pub(crate) mod keys {
    pub(crate) const TAB: &str = "\u{e004}";
    pub(crate) const ENTER: &str = "\u{e007}";
    pub(crate) const END: &str = "\u{e010}";
    pub(crate) const HOME: &str = "\u{e011}";
    pub(crate) const LEFT: &str = "\u{e012}";
    pub(crate) const RIGHT: &str = "\u{e014}";
    pub(crate) const DOWN: &str = "\u{e015}";
    pub(crate) const UP: &str = "\u{e013}";
    pub(crate) const ESCAPE: &str = "\u{e00c}";
    pub(crate) const DELETE: &str = "\u{e017}";
    pub(crate) const F2: &str = "\u{e032}";
    pub(crate) const CONTROL: char = '\u{e009}';
    pub(crate) const ALT: char = '\u{e00a}';
}

/// Browsers that no test uses at the moment. To start one takes longer than many a test.
static IDLE: Mutex<Vec<Browser>> = Mutex::new(Vec::new());

/// A browser with one page. It ends when this is dropped.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    /// The path of the session, empty before there is one.
    session: String,
}

impl Browser {
    /// Returns the name of a program that the machine lacks, if it lacks one.
    pub(crate) fn missing() -> Option<&'static str> {
        if BROWSERS.iter().all(|name| on_path(name).is_none()) {
            return Some("chromium");
        }
        on_path(DRIVER).is_none().then_some(DRIVER)
    }

    /// Returns a browser with a new page: one that was [kept](Self::keep), or another one. `None`
    /// if the machine has none.
    pub(crate) fn take() -> Option<Self> {
        let kept = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        kept.filter(|browser| browser.renew().is_ok()).or_else(Self::start)
    }

    /// Keeps the browser for the next test.
    pub(crate) fn keep(self) {
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self);
    }

    /// Ends all browsers that are kept.
    pub(crate) fn end_all() {
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Opens a new page instead of the old one, and forgets what the old one complained of.
    fn renew(&self) -> Result<(), String> {
        let page = self.ask("POST", &format!("{}/window/new", self.session), &json!({ "type": "tab" }))?;
        self.ask("DELETE", &format!("{}/window", self.session), &Value::Null)?;
        let new = json!({ "handle": page["handle"] });
        self.ask("POST", &format!("{}/window", self.session), &new)?;
        self.devtools("Page.bringToFront", &json!({}));
        self.complaints();
        Ok(())
    }

    /// Starts one; `None` if the machine has none.
    pub(crate) fn start() -> Option<Self> {
        let binary = BROWSERS.iter().find_map(|name| on_path(name))?;
        let mut command = Command::new(on_path(DRIVER)?);
        command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut driver = command.spawn().expect("chromedriver starts");
        let port = port_of(&mut driver);
        let mut browser = Self { driver, port, session: String::new() };
        let options =
            json!({ "binary": binary, "args": ["--headless=new", "--no-sandbox", "--disable-gpu"] });
        let wanted = json!({ "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } });
        let session = browser.call("POST", "/session", &json!({ "capabilities": { "alwaysMatch": wanted } }));
        browser.session = format!("/session/{}", session["sessionId"].as_str().expect("a session"));
        Some(browser)
    }

    /// Goes to a page, as a window of this size with these colors, `light` or `dark`.
    pub(crate) fn open(&self, address: &str, (width, height): (u32, u32), colors: &str) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
        let features = json!([{ "name": "prefers-color-scheme", "value": colors }]);
        self.devtools("Emulation.setEmulatedMedia", &json!({ "features": features }));
        // From before its first script on: how long the page was busy without a pause.
        let source = "window.busy = []; new PerformanceObserver((list) => busy.push(...list.getEntries()
            .map((entry) => entry.duration))).observe({ type: 'longtask', buffered: true });";
        self.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": source }));
        self.devtools("Performance.enable", &json!({ "timeDomain": "threadTicks" }));
        self.post("/url", &json!({ "url": address }));
    }

    /// Runs a script. Returns its result.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Returns the value of an expression.
    pub(crate) fn get(&self, expression: &str) -> Value {
        self.run(&format!("return {expression};"))
    }

    /// Returns the text of an element.
    pub(crate) fn text(&self, selector: &str) -> String {
        let text = self.get(&format!("document.querySelector({selector:?})?.innerText ?? ''"));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Presses the mouse on the middle of an element, as soon as it is where it can be seen.
    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        let start = Instant::now();
        while let Err(why) = self.try_click(selector) {
            assert!(start.elapsed() < PATIENCE, "{selector} cannot be clicked: {why}");
            sleep(PAUSE);
        }
    }

    fn try_click(&self, selector: &str) -> Result<(), String> {
        let found = json!({ "using": "css selector", "value": selector });
        let element = self.ask("POST", &format!("{}/element", self.session), &found)?;
        let id = element.as_object().and_then(|element| element.values().next()).and_then(Value::as_str);
        let click = format!("{}/element/{}/click", self.session, id.expect("an element"));
        self.ask("POST", &click, &json!({})).map(drop)
    }

    /// Presses keys, one after the other, wherever the focus is.
    pub(crate) fn press(&self, keys: &str) {
        let key = |it: char| {
            [
                json!({ "type": "keyDown", "value": it.to_string() }),
                json!({ "type": "keyUp", "value": it.to_string() }),
            ]
        };
        let actions: Vec<Value> = keys.chars().flat_map(key).collect();
        self.post("/actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }));
    }

    /// Presses a key while another one is held.
    pub(crate) fn press_with(&self, held: char, key: &str) {
        let of = |kind: &str, key: &str| json!({ "type": kind, "value": key });
        let held = held.to_string();
        let actions = [of("keyDown", &held), of("keyDown", key), of("keyUp", key), of("keyUp", &held)];
        self.post("/actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }));
    }

    /// Drags the mouse from one point of the page to another.
    pub(crate) fn drag(&self, from: (f64, f64), to: (f64, f64)) {
        self.hold(from, to);
        self.release();
    }

    /// Moves the mouse from one point of the page to another, and holds its button.
    pub(crate) fn hold(&self, from: (f64, f64), to: (f64, f64)) {
        let at = |(x, y): (f64, f64)| json!({ "type": "pointerMove", "duration": 60, "x": x.round() as i64, "y": y.round() as i64 });
        let near = (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
        self.point(&[at(from), json!({ "type": "pointerDown", "button": 0 }), at(near), at(to)]);
    }

    /// Releases the button of the mouse.
    pub(crate) fn release(&self) {
        self.point(&[json!({ "type": "pointerUp", "button": 0 })]);
    }

    fn point(&self, actions: &[Value]) {
        let pointer = json!({ "type": "pointer", "id": "mouse", "actions": actions });
        self.post("/actions", &json!({ "actions": [pointer] }));
    }

    /// Presses a key again and again, until an expression is true, because the page may
    /// not be ready for the key yet.
    #[track_caller]
    pub(crate) fn press_until(&self, key: &str, expression: &str) {
        self.act_until(|| self.press(key), expression);
    }

    /// Runs a script again and again, until an expression is true, because the page may undo what
    /// the script did.
    #[track_caller]
    pub(crate) fn run_until(&self, script: &str, expression: &str) {
        self.act_until(|| drop(self.run(script)), expression);
    }

    #[track_caller]
    fn act_until(&self, act: impl Fn(), expression: &str) {
        let start = Instant::now();
        while self.get(&format!("Boolean({expression})")) != json!(true) {
            assert!(start.elapsed() < PATIENCE, "nothing leads to {expression}");
            act();
            sleep(PAUSE);
        }
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn until(&self, expression: &str) {
        let start = Instant::now();
        while self.get(&format!("Boolean({expression})")) != json!(true) {
            let page = || self.text("body");
            assert!(start.elapsed() < PATIENCE, "never so: {expression}\nthe page:\n{}", page());
            sleep(PAUSE);
        }
    }

    /// Waits until an element has a text in it.
    #[track_caller]
    pub(crate) fn reads(&self, selector: &str, text: &str) {
        self.until(&format!("document.querySelector({selector:?})?.innerText.includes({text:?})"));
    }

    /// Returns the visible page as a PNG.
    pub(crate) fn picture(&self) -> Vec<u8> {
        let picture = self.call("GET", &format!("{}/screenshot", self.session), &Value::Null);
        from_base64(picture.as_str().expect("a picture"))
    }

    /// Returns errors of the page: exceptions, and violations of its content security policy.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.post("/se/log", &json!({ "type": "browser" }));
        let severe = log.as_array().into_iter().flatten().filter(|entry| entry["level"] == "SEVERE");
        severe.map(|entry| entry["message"].to_string()).collect()
    }

    /// Returns the processor time of the page since it was opened, in milliseconds.
    pub(crate) fn work(&self) -> f64 {
        let told = self.devtools("Performance.getMetrics", &json!({}));
        let mut metrics = told["metrics"].as_array().into_iter().flatten();
        let work = metrics.find(|metric| metric["name"] == "TaskDuration");
        work.and_then(|work| work["value"].as_f64()).expect("a time") * 1000.0
    }

    fn devtools(&self, command: &str, params: &Value) -> Value {
        self.post("/goog/cdp/execute", &json!({ "cmd": command, "params": params }))
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.call("POST", &format!("{}{path}", self.session), body)
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        self.ask(method, path, body).unwrap_or_else(|why| panic!("{method} {path}: {why}"))
    }

    /// Sends a request. Returns the value of the answer, or the reason why there is none.
    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let (fine, mut told) = self.request(method, path, body).expect("chromedriver answers");
        if fine { Ok(told["value"].take()) } else { Err(told["value"]["message"].to_string()) }
    }

    /// Sends one request, on a connection of its own. Returns true if it
    /// succeeded, and the response.
    fn request(&self, method: &str, path: &str, body: &Value) -> io::Result<(bool, Value)> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", self.port)?;
        write!(stream, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        // The driver leaves connections open: what an answer has of bytes, its head says.
        let mut reader = BufReader::new(stream);
        let (mut head, mut length) = (String::new(), 0);
        while reader.read_line(&mut head)? > 2 {
            let line = head.rsplit("\r\n").nth(1).unwrap_or_default().to_ascii_lowercase();
            length =
                line.strip_prefix("content-length:").and_then(|it| it.trim().parse().ok()).unwrap_or(length);
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        Ok((head.starts_with("HTTP/1.1 200"), serde_json::from_slice(&body)?))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser ends with its session; a driver that is killed would leave it behind.
        if !self.session.is_empty() {
            let _ = self.request("DELETE", &self.session, &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Returns a program, if there is one of that name.
fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Returns the port that a driver says it has.
fn port_of(driver: &mut Child) -> u16 {
    let said = BufReader::new(driver.stdout.take().expect("piped"));
    for line in said.lines().map_while(Result::ok) {
        let port = line.split_once("started successfully on port ");
        if let Some(port) = port.and_then(|(_, port)| port.trim_end_matches('.').parse().ok()) {
            return port;
        }
    }
    panic!("chromedriver says no port");
}

fn from_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit = |byte: u8| DIGITS.iter().position(|it| *it == byte);
    let digits: Vec<u32> = text.bytes().filter_map(digit).map(|it| it as u32).collect();
    let four = |four: &[u32]| {
        let bits = four.iter().fold(0, |bits, it| bits << 6 | it) << (6 * (4 - four.len()));
        bits.to_be_bytes()[1..four.len()].to_vec()
    };
    digits.chunks(4).flat_map(four).collect()
}
