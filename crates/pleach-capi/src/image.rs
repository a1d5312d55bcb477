//! Images: verified compiled programs.

use crate::abi::{PLEACH_ACTION, PLEACH_QUERY, pleach_image, pleach_status};
use crate::border::border;
use crate::handles;
use crate::status::{E_NAME, Error};
use ::pleach_image::Image;
use ::pleach_image::format::import_kind;
use core::ffi::{c_char, c_void};
use std::sync::Arc;

/// Image in private memory or in a mapped file.
pub(crate) enum AnyImage {
    Private(Image),
    Mapped(Image<memmap2::Mmap>),
}

/// Evaluates an expression with an image of either sort.
macro_rules! on {
    ($image:expr, |$each:ident| $work:expr) => {
        match $image {
            $crate::image::AnyImage::Private($each) => $work,
            $crate::image::AnyImage::Mapped($each) => $work,
        }
    };
}
pub(crate) use on;

/// Returns the image of a handle.
pub(crate) fn get(image: pleach_image) -> Result<Arc<AnyImage>, Error> {
    handles::get(image)
}

/// Copies and verifies an image from memory.
///
/// Errors: PLEACH_E_IMAGE, with the code of the broken rule in pleach_last_error.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_image_copy(
    bytes: *const c_void,
    length: usize,
    image: *mut pleach_image,
) -> pleach_status {
    border!(|border| {
        let out = border.out(image)?;
        let loaded = Image::copy(border.bytes(bytes, length)?)?;
        out.done(handles::add(AnyImage::Private(loaded))?)
    })
}

/// Reads an image from a file into private memory and verifies it. Later changes of the file have
/// no effect. The path is UTF-8.
///
/// Errors: PLEACH_E_IO, PLEACH_E_IMAGE.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_image_load(
    path: *const c_char,
    path_length: usize,
    image: *mut pleach_image,
) -> pleach_status {
    border!(|border| {
        let out = border.out(image)?;
        let loaded = Image::load(border.text(path, path_length)?)?;
        out.done(handles::add(AnyImage::Private(loaded))?)
    })
}

/// Maps a file and verifies it. All processes that map the file share its pages. The path is UTF-8.
///
/// The caller promises that NOBODY CHANGES OR SHORTENS THE FILE, in this process or another, until
/// the image and all programs linked from it are freed. A write shows through the map and
/// invalidates what was verified. A read behind a shortened end terminates the process. Renaming
/// another file over it is safe. If you cannot promise this, use pleach_image_load.
///
/// Errors: PLEACH_E_IO, PLEACH_E_IMAGE.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_image_map(
    path: *const c_char,
    path_length: usize,
    image: *mut pleach_image,
) -> pleach_status {
    border!(|border| {
        let out = border.out(image)?;
        let path = border.text(path, path_length)?;
        // SAFETY: the header tells the caller to promise that the file does not change.
        let mapped = unsafe { Image::map(path) }?;
        out.done(handles::add(AnyImage::Mapped(mapped))?)
    })
}

/// Gets the name of the dialect that the trees of an image were written in.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_image_dialect(
    image: pleach_image,
    buffer: *mut c_char,
    room: usize,
    length: *mut usize,
) -> pleach_status {
    border!(|border| {
        let to = border.buffer(buffer.cast(), room, length)?;
        let image = get(image)?;
        on!(&*image, |image| to.give(image.dialect().as_bytes()))
    })
}

/// Gets the number of functions that an image needs from its host.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_image_import_count(image: pleach_image, count: *mut u32) -> pleach_status {
    border!(|border| {
        let out = border.out(count)?;
        let image = get(image)?;
        out.done(on!(&*image, |image| image.imports().len()) as u32)
    })
}

/// Gets the name of a function that an image needs, by its index from 0, and its kind:
/// PLEACH_ACTION or PLEACH_QUERY. `optional` may be null. It is set to 1 if the image works without
/// the function.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_image_import(
    image: pleach_image,
    index: u32,
    kind: *mut u32,
    optional: *mut u32,
    buffer: *mut c_char,
    room: usize,
    length: *mut usize,
) -> pleach_status {
    border!(|border| {
        let to = border.buffer(buffer.cast(), room, length)?;
        let (kind, optional) = (border.out(kind)?, border.wanted(optional)?);
        let image = get(image)?;
        on!(&*image, |image| {
            let import = image.imports().get(index as usize).ok_or(E_NAME)?;
            let is_action = import_kind::of(import.kind) == import_kind::ACTION;
            kind.put(if is_action { PLEACH_ACTION } else { PLEACH_QUERY });
            optional.put(u32::from(import.kind & import_kind::OPTIONAL != 0));
            to.give(image.name(import.name).as_bytes())
        })
    })
}
