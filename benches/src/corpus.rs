//! Many generated trees: megabytes of text to compile and load.
//!
//! The trees look like those that people write (indented, with comments and macros, about a hundred
//! nodes each), and use the bot's vocabulary. The same seed gives the same text. They come in
//! folders of 30 trees, about as many as a game ships, and a folder is compiled to one image.

use crate::dice::Dice;
use crate::leaves::QUERIES;
use crate::trees;
use pleach_compile::Compiler;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use std::fmt::Write;

/// Number of trees in an image.
const TREES: usize = 30;
const MAX_DEPTH: usize = 9;

/// Trees of one image.
#[derive(Debug)]
pub struct Part {
    /// Their text.
    pub library: Texts,
    /// Their names.
    pub entries: Vec<String>,
}

impl Part {
    /// Compiles all trees to one image, with all diagnostics, with or without debug information.
    #[must_use]
    pub fn compile(&self, compiler: &mut Compiler, manifest: &Manifest, debug: bool) -> Vec<u8> {
        trees::bytes(compiler, &self.library, manifest, &self.entries, debug)
    }
}

/// Makes up the trees of `parts` images.
#[must_use]
pub fn corpus(parts: u64) -> Vec<Part> {
    (0..parts).map(part).collect()
}

fn part(seed: u64) -> Part {
    let mut part = Part { library: Texts::new("bt"), entries: Vec::new() };
    let mut writer = Writer { text: String::new(), dice: Dice::new(seed), tree: 0 };
    for index in 0..TREES {
        let name = format!("tree_{index}");
        part.library.add(format!("{name}.bt"), writer.tree(index));
        part.entries.push(name);
    }
    part
}

struct Writer {
    text: String,
    dice: Dice,
    /// Index of the tree.
    tree: usize,
}

impl Writer {
    fn tree(&mut self, index: usize) -> String {
        self.tree = index;
        self.line(0, format_args!("// Tree {index}: made up, means nothing."));
        let near = 100 + self.dice.below(400);
        self.line(0, format_args!("#define NEAR {near}"));
        self.list(0, 6);
        core::mem::take(&mut self.text)
    }

    fn line(&mut self, depth: usize, text: std::fmt::Arguments<'_>) {
        self.text.extend(std::iter::repeat_n('\t', depth));
        // A string can always be written to.
        let _ = writeln!(self.text, "{text}");
    }

    /// A node; a list has room for two.
    fn node(&mut self, depth: usize, in_list: bool) {
        match self.dice.below(16) {
            0..=2 if depth < MAX_DEPTH => {
                let children = 2 + self.dice.below(5);
                self.list(depth, children);
            }
            3..=7 if depth < MAX_DEPTH => self.guard(depth),
            8 | 9 if depth < MAX_DEPTH => self.decorator(depth),
            10 | 11 if in_list => {
                let condition = self.condition();
                self.line(depth, format_args!("condition {condition}"));
                self.action(depth);
            }
            12 if self.tree > 0 => {
                let earlier = self.dice.below(self.tree as u32);
                self.line(depth, format_args!("behavior tree_{earlier}"));
            }
            _ => self.action(depth),
        }
    }

    fn list(&mut self, depth: usize, children: u32) {
        let keyword =
            self.dice.pick(&["selector", "selector", "sequence", "sequence", "fallback", "concurrent"]);
        if self.dice.below(4) == 0 {
            self.line(depth, format_args!("// Try each of these in turn."));
        }
        self.line(depth, format_args!("{keyword}"));
        self.line(depth, format_args!("{{"));
        for _ in 0..children {
            self.node(depth + 1, true);
        }
        self.line(depth, format_args!("}}"));
    }

    fn guard(&mut self, depth: usize) {
        let condition = self.condition();
        self.line(depth, format_args!("condition {condition}"));
        self.inside(depth);
    }

    fn decorator(&mut self, depth: usize) {
        match self.dice.below(3) {
            0 => {
                let duration = 500 * (1 + self.dice.below(20));
                self.line(depth, format_args!("decorator timer( {duration} )"));
            }
            1 => self.line(depth, format_args!("decorator invert()")),
            _ => self.line(depth, format_args!("decorator return( STATUS_SUCCESS )")),
        }
        self.inside(depth);
    }

    fn inside(&mut self, depth: usize) {
        self.line(depth, format_args!("{{"));
        self.node(depth + 1, false);
        self.line(depth, format_args!("}}"));
    }

    fn action(&mut self, depth: usize) {
        match self.dice.below(4) {
            0 => {
                let entity = self.entity();
                self.line(depth, format_args!("action moveTo( {entity}, NEAR )"));
            }
            1 => {
                let weapon = self.dice.pick(&["WP_SHOTGUN", "WP_LAS_GUN", "WP_FLAMER"]);
                self.line(depth, format_args!("action buy( {weapon}, UP_LIGHTARMOUR )"));
            }
            _ => {
                let name =
                    self.dice.pick(&["fight", "roam", "flee", "heal", "rush", "strafeDodge", "aimAtGoal"]);
                self.line(depth, format_args!("action {name}"));
            }
        }
    }

    fn condition(&mut self) -> String {
        let first = self.comparison();
        match self.dice.below(4) {
            0 => format!("{first} && {}", self.comparison()),
            1 => format!("{first} || !{}", self.comparison()),
            _ => first,
        }
    }

    fn comparison(&mut self) -> String {
        let index = self.dice.below(QUERIES.len() as u32) as usize;
        let query = match QUERIES[index].name {
            name @ ("directPathTo" | "distanceTo" | "inAttackRange" | "isVisible" | "percentHealth") => {
                format!("{name}( {} )", self.entity())
            }
            "haveUpgrade" => "haveUpgrade( UP_MEDKIT )".to_owned(),
            "haveWeapon" => "haveWeapon( WP_PAIN_SAW )".to_owned(),
            "momentum" => "momentum( TEAM_HUMANS )".to_owned(),
            "numOurBuildings" => "numOurBuildings( E_H_DRILL )".to_owned(),
            "cvar" => "cvar( \"g_bot_rush\" )".to_owned(),
            name => name.to_owned(),
        };
        match self.dice.below(3) {
            0 => query,
            1 => format!("{query} > {}", self.dice.below(1000)),
            _ => format!("{query} <= 0.{}", self.dice.below(100)),
        }
    }

    fn entity(&mut self) -> &'static str {
        self.dice.pick(&["E_ENEMY", "E_GOAL", "E_H_REACTOR", "E_H_ARMOURY", "E_DAMAGEDBUILDING"])
    }
}
