//! The tables of the specification equal those of the code.
//!
//! A chapter has a table between `<!-- table NAME -->` and `<!-- end -->`. The test generates the
//! table from the code and compares. `PLEACH_BLESS=1 cargo test -p pleach-tests --test repository
//! spec::` writes it.

use pleach::state::StateFault;
use pleach_image::format::SectionKind;
use pleach_image::isa::{Op, StackOp, stack};
use pleach_image::verify::Rule;
use pleach_tests::campaign::{CAMPAIGNS, ledger};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

fn spec(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec").join(file)
}

/// Lock for files: two tables may be in one file, and tests run in parallel.
static FILES: Mutex<()> = Mutex::new(());

fn check(file: &str, name: &str, table: &str) {
    let _alone = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    let path = spec(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (begin, end) = (format!("<!-- table {name} -->\n"), "<!-- end -->");
    let start = text.find(&begin).unwrap_or_else(|| panic!("{file} has no table {name}")) + begin.len();
    let stop =
        start + text[start..].find(end).unwrap_or_else(|| panic!("the table {name} of {file} has no end"));
    if std::env::var_os("PLEACH_BLESS").is_some() {
        let blessed = format!("{}{table}{}", &text[..start], &text[stop..]);
        std::fs::write(&path, blessed).unwrap();
        return;
    }
    assert_eq!(&text[start..stop], table, "{file}: table {name} differs; PLEACH_BLESS=1 writes it");
}

#[test]
fn instructions() {
    let mut table =
        String::from("| number | name | flow | blocks | operands | meaning |\n|---|---|---|---|---|---|\n");
    for op in Op::ALL {
        let fields: Vec<_> =
            op.fields().iter().map(|field| format!("`{}` {}", field.place, field.kind)).collect();
        let (flow, blocks) = (op.flow(), op.blocks());
        let columns = format!("{flow:?} | {blocks:?}").to_lowercase();
        let (number, fields) = (*op as u8, fields.join(", "));
        table +=
            &format!("| {number:#04x} | `{}` | {columns} | {fields} | {} |\n", op.mnemonic(), op.meaning());
    }
    check("instructions.md", "instructions", &table);
}

#[test]
fn condition_operations() {
    let types = |types: &[stack::Type]| {
        let names: Vec<_> = types.iter().map(|ty| format!("{ty:?}").to_lowercase()).collect();
        names.join(" ")
    };
    let mut table = String::from("| number | name | operand | stack | meaning |\n|---|---|---|---|---|\n");
    for op in StackOp::ALL {
        let operand = match op.operand() {
            stack::StackOperand::None => String::new(),
            operand => format!("`a` {operand:?}").to_lowercase(),
        };
        let (number, takes, gives) = (*op as u8, types(op.pops()), types(op.pushes()));
        let name = op.mnemonic();
        table +=
            &format!("| {number:#04x} | `{name}` | {operand} | {takes} → {gives} | {} |\n", op.meaning());
    }
    check("instructions.md", "conditions", &table);
}

#[test]
fn sections() {
    let mut table = String::from("| number | section | bytes a row | holds |\n|---|---|---|---|\n");
    for kind in SectionKind::ALL {
        let (number, bytes) = (*kind as u32, kind.row_bytes());
        table += &format!("| {number} | `{}` | {bytes} | {} |\n", kind.name(), kind.meaning());
    }
    check("image.md", "sections", &table);
}

#[test]
fn rules() {
    let mut table = String::from("| code | what is wrong |\n|---|---|\n");
    for rule in Rule::ALL {
        table += &format!("| {} | {} |\n", rule.code(), rule.meaning());
    }
    check("image.md", "rules", &table);
}

#[test]
fn faults_of_states() {
    let mut table = String::from("| code | name | what is wrong |\n|---|---|---|\n");
    for fault in StateFault::ALL {
        table += &format!("| {} | `{fault:?}` | {} |\n", fault.code(), fault.meaning());
    }
    check("state.md", "state", &table);
    let codes: Vec<_> = StateFault::ALL.iter().map(|fault| fault.code()).collect();
    assert!(codes.is_sorted_by(|one, next| one < next), "faults stand in the order of their codes");
}

#[test]
fn runs_of_campaigns() {
    let mut table = String::from("| campaign | what is tried | executions are |\n|---|---|---|\n");
    for it in CAMPAIGNS {
        table += &format!("| `{}` | {} | {} |\n", it.name, it.about, it.unit);
    }
    check("ledger.md", "campaigns", &table);
    let lines = ledger::lines().expect("the ledger can be read");
    ledger::tables(&lines).iter().for_each(|(name, table)| check("ledger.md", name, table));
}

/// Returns the names in a folder of `tests/tests`, sorted, without the extension `.rs`.
fn names(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let entries = std::fs::read_dir(folder).expect("a folder of tests");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut names: Vec<_> = names.map(|name| name.trim_end_matches(".rs").to_owned()).collect();
    names.sort();
    names
}

/// Returns the first sentence of the essay that opens a file of tests.
fn first_sentence(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("//! "));
    let paragraph = lines.collect::<Vec<_>>().join(" ");
    paragraph.split_once(". ").map_or(paragraph.clone(), |(sentence, _)| format!("{sentence}."))
}

#[test]
fn proofs() {
    let mut table = String::from("| folder | module | proves |\n|---|---|---|\n");
    let source = |path: String| {
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(path))
    };
    for folder in names("") {
        let main = source(format!("{folder}/main.rs"));
        let main =
            main.unwrap_or_else(|_| panic!("tests/tests/{folder}: tests stand in folders with a main.rs"));
        for module in names(&folder).iter().filter(|module| *module != "main") {
            assert!(main.contains(&format!("\nmod {module};\n")), "{folder}/main.rs leaves {module} out");
            let text = source(format!("{folder}/{module}.rs"))
                .or_else(|_| source(format!("{folder}/{module}/mod.rs")))
                .expect("the source of a module");
            table += &format!("| `{folder}` | `{module}` | {} |\n", first_sentence(&text));
        }
    }
    check("proofs.md", "proofs", &table);
}

#[test]
fn rules_have_codes_of_their_own() {
    let mut codes: Vec<_> = Rule::ALL.iter().map(|rule| rule.code()).collect();
    codes.dedup();
    assert!(codes.is_sorted(), "rules stand in the order of their codes");
    assert_eq!(codes.len(), Rule::ALL.len(), "two rules share a code");
}
