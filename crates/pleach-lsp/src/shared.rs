//! Data of all threads, and messages to the editor.

use crate::counts::LiveCrowd;
use crate::results::TestRunner;
use crate::snapshot::Snapshot;
use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Data of all threads.
pub(crate) struct Shared {
    sender: Box<dyn Fn(Message) + Send + Sync>,
    /// Requests without an answer, each with a flag that is true if it was cancelled.
    pub(crate) requests: Mutex<HashMap<RequestId, Arc<AtomicBool>>>,
    /// Files whose findings may have changed.
    pub(crate) changed: Mutex<BTreeSet<String>>,
    /// Number of changes so far.
    revision: AtomicU64,
    /// Crowd of the live view that is connected.
    live: Mutex<Option<Arc<LiveCrowd>>>,
    /// True if the client asks for inlay hints again when they have changed.
    refreshes_hints: bool,
    /// Function that runs tests.
    pub(crate) run_tests: Option<TestRunner>,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic while the lock is held leaves the set whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    pub(crate) fn new(
        refreshes_hints: bool,
        run_tests: Option<TestRunner>,
        send: impl Fn(Message) + Send + Sync + 'static,
    ) -> Self {
        Self {
            sender: Box::new(send),
            requests: Mutex::default(),
            changed: Mutex::default(),
            revision: AtomicU64::new(0),
            live: Mutex::default(),
            refreshes_hints,
            run_tests,
        }
    }

    pub(crate) fn send(&self, message: impl Into<Message>) {
        (self.sender)(message.into());
    }

    /// Shows a message in the log of the editor.
    pub(crate) fn tell(&self, message: &str) {
        let params = json!({ "type": 1, "message": message });
        self.send(Notification { method: "window/logMessage".to_owned(), params });
    }

    /// Shows a message to the user.
    pub(crate) fn show(&self, message: &str) {
        let params = json!({ "type": 2, "message": message });
        self.send(Notification { method: "window/showMessage".to_owned(), params });
    }

    /// Keeps the crowd of a live view for hints, and tells the client that hints have changed.
    pub(crate) fn set_live(&self, crowd: Option<LiveCrowd>) {
        let old = std::mem::replace(&mut *lock(&self.live), crowd.map(Arc::new));
        let has_changed = old.is_some() || lock(&self.live).is_some();
        if self.refreshes_hints && has_changed {
            let (id, method) =
                (RequestId::from("hints".to_owned()), "workspace/inlayHint/refresh".to_owned());
            self.send(Request { id, method, params: Value::Null });
        }
    }

    /// Returns the crowd of the live view that is connected.
    pub(crate) fn live(&self) -> Option<Arc<LiveCrowd>> {
        lock(&self.live).clone()
    }

    /// Notes a request that will be answered from a snapshot.
    pub(crate) fn asked(&self, id: RequestId, snapshot: &Snapshot) {
        lock(&self.requests).insert(id, snapshot.is_cancelled.clone());
    }

    /// Notes that a request is cancelled. Work on the request ends soon. A request that has its
    /// answer stays as it is.
    pub(crate) fn cancel(&self, id: &RequestId) {
        if let Some(is_cancelled) = lock(&self.requests).get(id) {
            is_cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Notes that a file has changed.
    pub(crate) fn changed(&self, path: String) {
        lock(&self.changed).insert(path);
    }

    /// Notes the files whose programs have a file that is about to change.
    pub(crate) fn changed_around(&self, snapshot: &Snapshot, path: &str) {
        lock(&self.changed).extend(snapshot.project.scope(path).map(str::to_owned));
    }

    /// Forgets which files have changed.
    pub(crate) fn forget_changed(&self) {
        lock(&self.changed).clear();
    }

    pub(crate) fn set_revision(&self, revision: u64) {
        self.revision.store(revision, Ordering::Relaxed);
    }

    pub(crate) fn is_current(&self, snapshot: &Snapshot) -> bool {
        snapshot.revision == self.revision.load(Ordering::Relaxed)
    }
}
