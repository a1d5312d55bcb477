//! Images, programs and what goes with both: handles that are freed, statuses that are told.

use super::answers::functions;
use super::c;
use core::ptr;
use pleach_capi::status::OK;
use pleach_capi::{pleach_crowd_options, pleach_handle, pleach_host, pleach_status};
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::Module;

/// Returns the library's message if a status is an error.
pub(super) fn told(status: pleach_status) -> Result<(), String> {
    if status == OK {
        return Ok(());
    }
    let length = c!(pleach_last_error(ptr::null_mut(), 0));
    let mut words = vec![0; length];
    c!(pleach_last_error(words.as_mut_ptr().cast(), length));
    words.pop();
    Err(format!("{status}: {}", String::from_utf8_lossy(&words)))
}

/// Something that comes in a buffer, whose length is asked for first.
pub(super) fn bytes(give: impl Fn(*mut u8, usize, *mut usize) -> pleach_status) -> Result<Vec<u8>, String> {
    let mut length = 0;
    let status = give(ptr::null_mut(), 0, &mut length);
    if length == 0 {
        return told(status).map(|()| Vec::new());
    }
    let mut bytes = vec![0; length];
    told(give(bytes.as_mut_ptr(), length, &mut length))?;
    Ok(bytes)
}

/// Returns a text that the library writes to a buffer.
pub(super) fn text(give: impl Fn(*mut u8, usize, *mut usize) -> pleach_status) -> Result<String, String> {
    String::from_utf8(bytes(give)?).map_err(|error| error.to_string())
}

/// A handle that is freed.
pub(super) struct Owned(pub(super) pleach_handle);

impl Drop for Owned {
    fn drop(&mut self) {
        c!(pleach_free(self.0));
    }
}

/// A program, and the names of its functions by their numbers.
pub(super) struct Linked {
    pub(super) program: Owned,
    pub(super) names: Vec<String>,
}

/// Returns a module as a program, by the whole way.
pub(super) fn link(module: &Module) -> Result<Linked, String> {
    let bytes = emit::emit(module, "case", None).map_err(|refused| refused.message)?;
    let mut image = 0;
    told(c!(pleach_image_copy(bytes.as_ptr().cast(), bytes.len(), &mut image)))?;
    let image = Owned(image);
    let mut count = 0;
    told(c!(pleach_image_import_count(image.0, &mut count)))?;
    let mut imports = Vec::new();
    for index in 0..count {
        let mut kind = 0;
        told(c!(pleach_image_import(image.0, index, &mut kind, ptr::null_mut(), ptr::null_mut(), 0, &mut 0)))
            .or_else(|error| if kind == 0 { Err(error) } else { Ok(()) })?;
        let name = text(|buffer, room, length| {
            c!(pleach_image_import(image.0, index, &mut 0, ptr::null_mut(), buffer.cast(), room, length))
        })?;
        imports.push((kind, name));
    }
    let functions = functions(&imports);
    let host = pleach_host {
        struct_size: size_of::<pleach_host>() as u32,
        reserved: 0,
        functions: functions.as_ptr(),
        function_count: functions.len(),
        log: Some(super::answers::log),
        knows: Some(super::answers::knows),
        ran_away: Some(super::answers::ran_away),
        hook: Some(super::answers::hook),
    };
    let mut program = 0;
    told(c!(pleach_program_link(image.0, &host, &mut program)))?;
    Ok(Linked { program: Owned(program), names: imports.into_iter().map(|(_, name)| name).collect() })
}

impl Linked {
    /// Returns the names of the trees.
    pub(super) fn entries(&self) -> Result<Vec<String>, String> {
        let mut count = 0;
        told(c!(pleach_program_entry_count(self.program.0, &mut count)))?;
        let entry = |index| {
            text(|buffer, room, length| {
                c!(pleach_program_entry(self.program.0, index, buffer.cast(), room, length))
            })
        };
        (0..count).map(entry).collect()
    }

    /// Returns a crowd without agents.
    pub(super) fn crowd(&self, seed: u64, chance: Option<f64>) -> Result<Owned, String> {
        let options = pleach_crowd_options {
            struct_size: size_of::<pleach_crowd_options>() as u32,
            engine: pleach_capi::PLEACH_ENGINE_BATCH,
            seed,
            chance_is_fixed: chance.is_some().into(),
            step_limit: 0,
            chance: chance.unwrap_or(0.0),
        };
        let mut crowd = 0;
        told(c!(pleach_crowd_new(self.program.0, &options, &mut crowd)))?;
        Ok(Owned(crowd))
    }

    /// Returns a variable of agents, if there is one of this name.
    pub(super) fn variable(&self, name: &str) -> Option<u32> {
        let mut found = 0;
        let found_it = c!(pleach_program_variable(
            self.program.0,
            name.as_ptr().cast(),
            name.len(),
            &mut found,
            ptr::null_mut()
        ));
        (found_it == OK).then_some(found)
    }

    /// Returns a shared variable, if there is one of this name.
    pub(super) fn shared(&self, name: &str) -> Option<u32> {
        let mut found = 0;
        let found_it =
            c!(pleach_program_shared(self.program.0, name.as_ptr().cast(), name.len(), &mut found));
        (found_it == OK).then_some(found)
    }
}

/// Returns a new agent.
pub(super) fn spawn(crowd: &Owned, entry: &str) -> Result<u64, String> {
    let mut agent = 0;
    told(c!(pleach_crowd_spawn(crowd.0, entry.as_ptr().cast(), entry.len(), &mut agent)))?;
    Ok(agent)
}
