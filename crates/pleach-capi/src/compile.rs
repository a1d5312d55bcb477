//! Compiler from source text to images, for tools and for games that reload trees.

use crate::abi::{pleach_compilation, pleach_image, pleach_status};
use crate::border::{Border, Versioned, border};
use crate::image::AnyImage;
use crate::status::{E_COMPILE, E_NAME, Error};
use crate::{handles, kinds::truth};
use bytemuck::Zeroable;
use core::ffi::{c_char, c_void};
use core::fmt::Write as _;
use pleach::Image;
use pleach_compile::diagnostic::{Diagnostic, Severity};
use pleach_compile::dialect::{self, Dialect};
use pleach_compile::manifest::Manifest;
use pleach_compile::source::{Place, Span};
use pleach_compile::texts::Texts;
use pleach_compile::{Compilation, Compiler, Request};
use serde_json::json;

/// File of source text.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_source {
    /// `sizeof(pleach_source)`.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// Path of the file, in UTF-8 with `/` between folders. Other files include the file by it, and
    /// a dialect with a tree in each file finds the tree `guard` in `guard` with the dialect's
    /// extension.
    pub path: *const c_char,
    /// Length of the path in bytes.
    pub path_length: usize,
    /// Content of the file.
    pub text: *const c_void,
    /// Length of the content in bytes.
    pub text_length: usize,
}

/// Name and its length.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_name {
    /// Bytes of the name.
    pub name: *const c_char,
    /// Length in bytes.
    pub length: usize,
}

/// Input of the compiler.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_compile_options {
    /// `sizeof(pleach_compile_options)`.
    pub struct_size: u32,
    /// 1: the image has no debug information.
    pub strip: u32,
    /// 1: in dialects that are stricter than their original engine, errors that the engine
    /// tolerates are warnings.
    pub lenient: u32,
    /// 0.
    pub reserved: u32,
    /// Name of the dialect; null to choose it by the extension of the first file.
    pub dialect: *const c_char,
    /// Length of the name in bytes.
    pub dialect_length: usize,
    /// Text of the manifest; null for the manifest of the dialect.
    pub manifest: *const c_char,
    /// Length of the manifest in bytes.
    pub manifest_length: usize,
    /// The files, all of one `struct_size`.
    pub sources: *const pleach_source,
    /// Number of files.
    pub source_count: usize,
    /// Names of the trees that can be started.
    pub entries: *const pleach_name,
    /// Number of these names.
    pub entry_count: usize,
}

impl Versioned for pleach_source {
    const FIRST: usize = core::mem::offset_of!(Self, text_length) + size_of::<usize>();

    fn size(&self) -> u32 {
        self.struct_size
    }
}

impl Versioned for pleach_compile_options {
    const FIRST: usize = core::mem::offset_of!(Self, entry_count) + size_of::<usize>();

    fn size(&self) -> u32 {
        self.struct_size
    }
}

/// Compiles source text. Errors in the text do not make this function fail: the compilation has the
/// findings. The compilation must be freed.
///
/// Errors: PLEACH_E_NAME if the dialect is unknown; PLEACH_E_COMPILE if the manifest has errors.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_compile(
    options: *const pleach_compile_options,
    compilation: *mut pleach_compilation,
) -> pleach_status {
    border!(|border| {
        let out = border.out(compilation)?;
        let done = compile(border, &border.options(options)?)?;
        out.done(handles::add(Done(done))?)
    })
}

/// Finished compilation, which is only read.
struct Done(Compilation);

fn compile(border: &Border, options: &pleach_compile_options) -> Result<Compilation, Error> {
    let sources = border.all_options(options.sources, options.source_count)?;
    let mut files = Vec::with_capacity(sources.len());
    for source in &sources {
        let path = border.text(source.path, source.path_length)?;
        files.push((path, border.bytes(source.text, source.text_length)?));
    }
    let named = border.text(options.dialect, options.dialect_length)?;
    let first = files.first().and_then(|(path, _)| path.rsplit_once('.')).map(|(_, extension)| extension);
    let (dialect, extension) = dialect_of(named, first)?;
    let texts = files.into_iter().fold(Texts::new(extension), |texts, (path, text)| texts.with(path, text));
    let manifest = manifest(dialect, border.text(options.manifest, options.manifest_length)?)?;
    let mut entries = Vec::new();
    for entry in border.slice(options.entries, options.entry_count)? {
        entries.push(border.text(entry.name, entry.length)?.to_owned());
    }
    let debug = !truth(options.strip)?;
    let mut compiler = Compiler::default().lenient(truth(options.lenient)?);
    Ok(compiler.compile(&texts, Request { dialect, manifest: &manifest, entries: &entries, debug }))
}

/// Returns the chosen dialect, and the extension of its files.
fn dialect_of<'a>(named: &str, first: Option<&'a str>) -> Result<(&'static dyn Dialect, &'a str), Error> {
    let by_extension = first.and_then(dialect::by_extension);
    let dialect = if named.is_empty() { by_extension } else { dialect::by_name(named) };
    let dialect = dialect.ok_or_else(|| Error::new(E_NAME, format!("there is no dialect `{named}`")))?;
    let known = dialect.extensions();
    let own = first.filter(|own| known.iter().any(|known| known.eq_ignore_ascii_case(own)));
    Ok((dialect, own.or(known.first().copied()).unwrap_or_default()))
}

fn manifest(dialect: &'static dyn Dialect, text: &str) -> Result<Manifest, Error> {
    if text.is_empty() {
        return Ok(dialect.own_manifest());
    }
    let (manifest, problems) = Manifest::parse(text);
    let told = problems.iter().fold(String::from("the manifest:"), |mut told, problem| {
        // Writing to a string does not fail.
        let _ = write!(told, "\n  line {}: {}", problem.line, problem.message);
        told
    });
    if problems.is_empty() { Ok(manifest) } else { Err(Error::new(E_COMPILE, told)) }
}

/// Gets the number of errors that a compilation has found.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_compilation_errors(
    compilation: pleach_compilation,
    errors: *mut usize,
) -> pleach_status {
    border!(|border| {
        let out = border.out(errors)?;
        out.done(handles::get::<Done>(compilation)?.0.diagnostics.errors())
    })
}

/// Gets the image that a compilation has made.
///
/// Errors: PLEACH_E_COMPILE if there are errors. In that case pleach_last_error has all findings.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_compilation_image(
    compilation: pleach_compilation,
    image: *mut pleach_image,
) -> pleach_status {
    border!(|border| {
        let out = border.out(image)?;
        let done = handles::get::<Done>(compilation)?;
        let bytes = done.0.image.as_ref().ok_or_else(|| Error::new(E_COMPILE, text(&done.0)))?;
        out.done(handles::add(AnyImage::Private(Image::copy(bytes)?))?)
    })
}

/// Gets the bytes of the image that a compilation has made, to be written to a file.
///
/// Errors: PLEACH_E_COMPILE if there are errors.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_compilation_bytes(
    compilation: pleach_compilation,
    bytes: *mut c_void,
    room: usize,
    length: *mut usize,
) -> pleach_status {
    border!(|border| {
        let to = border.buffer(bytes.cast(), room, length)?;
        let done = handles::get::<Done>(compilation)?;
        let image = done.0.image.as_ref().ok_or_else(|| Error::new(E_COMPILE, text(&done.0)))?;
        to.give(image)
    })
}

/// Gets the findings of a compilation as text: a line for each finding, `file:line:column:
/// error[E0101]: message`, and a line for its help if it has any.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_compilation_text(
    compilation: pleach_compilation,
    buffer: *mut c_char,
    room: usize,
    length: *mut usize,
) -> pleach_status {
    border!(|border| {
        let to = border.buffer(buffer.cast(), room, length)?;
        let done = handles::get::<Done>(compilation)?;
        to.give(text(&done.0).as_bytes())
    })
}

/// Gets the findings of a compilation for programs: one JSON object on each line, with `severity`,
/// `code`, `message`, `help`, `file`, `line`, `column` and `related`.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_compilation_json(
    compilation: pleach_compilation,
    buffer: *mut c_char,
    room: usize,
    length: *mut usize,
) -> pleach_status {
    border!(|border| {
        let to = border.buffer(buffer.cast(), room, length)?;
        let done = handles::get::<Done>(compilation)?;
        to.give(lines_of_json(&done.0).as_bytes())
    })
}

fn word(diagnostic: &Diagnostic) -> &'static str {
    match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// Returns the file, line and column of a span.
fn place(done: &Compilation, span: Span) -> (&str, Place) {
    (&done.sources.get(span.source).name, done.sources.place(span))
}

fn text(done: &Compilation) -> String {
    let mut text = String::new();
    for diagnostic in done.diagnostics.list() {
        if let Some((file, Place { line, column })) = diagnostic.span.map(|span| place(done, span)) {
            let _ = write!(text, "{file}:{line}:{column}: ");
        }
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}[{}]: {}", word(diagnostic), diagnostic.code.id, diagnostic.message);
        if let Some(help) = &diagnostic.help {
            let _ = writeln!(text, "  help: {help}");
        }
    }
    text
}

fn lines_of_json(done: &Compilation) -> String {
    let mut lines = String::new();
    for diagnostic in done.diagnostics.list() {
        let at = diagnostic.span.map(|span| place(done, span));
        let related = diagnostic.related.iter().map(|related| {
            let (file, Place { line, column }) = place(done, related.span);
            json!({"message": related.message, "file": file, "line": line, "column": column})
        });
        let row = json!({
            "severity": word(diagnostic),
            "code": diagnostic.code.id,
            "message": diagnostic.message,
            "help": diagnostic.help,
            "file": at.map(|(file, _)| file),
            "line": at.map(|(_, place)| place.line),
            "column": at.map(|(_, place)| place.column),
            "related": related.collect::<Vec<_>>(),
        });
        // Writing to a string does not fail.
        let _ = writeln!(lines, "{row}");
    }
    lines
}
