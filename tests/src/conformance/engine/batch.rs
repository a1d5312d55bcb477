//! The batch engine of the runtime, by the same way as the scalar one, with the
//! widest vectors of this processor.

use super::grove::{Grove, Planted};
use super::scalar::{Agents, Society};
use super::walker::Walkers;
use super::{Engine, Made, Settlers, scalar_walker};
use pleach::Image;
use pleach::engine::Vectors;
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::Module;

/// See [`pleach::engine::Engine::Batch`].
pub(super) struct BatchEngine;

impl BatchEngine {
    const ENGINE: pleach::engine::Engine = pleach::engine::Engine::Batch(Vectors::Avx512);
}

impl Engine for BatchEngine {
    fn name(&self) -> &'static str {
        "batch"
    }

    fn spawn<'m>(&self, module: &'m Module, agents: usize) -> Made<dyn super::Crowd + 'm> {
        Ok(Box::new(Agents::new(module, agents, Self::ENGINE)?))
    }

    fn settle<'m>(&self, module: &'m Module, settlers: &Settlers<'_>) -> Made<dyn super::Society + 'm> {
        let bytes = emit::emit(module, "case", None).map_err(|refused| refused.message)?;
        let image = Image::copy(&bytes).map_err(|error| error.to_string())?;
        Ok(Box::new(Society::new(&image, settlers)?.on(Self::ENGINE)))
    }

    fn walk<'m>(&self, module: &'m Module, agents: usize) -> Made<dyn Walkers + 'm> {
        let agents = scalar_walker::Agents::new(module, agents, Self::ENGINE)?;
        if !agents.are_swept() {
            return Err("agents at rules are to be swept".to_owned());
        }
        Ok(Box::new(agents))
    }

    fn plant<'m>(&self, module: &'m Module) -> Made<dyn Grove + 'm> {
        Ok(Box::new(Planted::new(module, Self::ENGINE)?))
    }
}
