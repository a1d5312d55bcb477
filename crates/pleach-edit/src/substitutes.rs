//! Rules of BehaviorTree.CPP by which nodes are replaced in tests, as JSON.

use pleach_compile::manifest::{Substitute, Substitution, TestNode, TestStatus};
use serde::Deserialize;
use std::collections::BTreeMap;

/// File of rules.
#[derive(Deserialize)]
struct Rules {
    #[serde(rename = "TestNodeConfigs", default)]
    tests: BTreeMap<String, Config>,
    /// Names of test nodes or of types, by filters.
    #[serde(rename = "SubstitutionRules")]
    rules: BTreeMap<String, String>,
}

/// Test node of a file of rules.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    return_status: Option<String>,
    #[serde(default)]
    return_status_script: String,
    #[serde(default)]
    async_delay: u32,
    #[serde(default)]
    success_script: String,
    #[serde(default)]
    failure_script: String,
    #[serde(default)]
    post_script: String,
}

/// Reads rules, in the order of their filters. `spec/dialects/btcpp.md` describes them.
///
/// # Errors
/// If the text is not JSON of that form, or a test node has no status.
pub fn read(text: &str) -> Result<Vec<Substitution>, String> {
    let Rules { tests, rules } = serde_json::from_str(text).map_err(|why| why.to_string())?;
    let tests = tests.into_iter().map(|(name, config)| {
        let test = config.node().map_err(|why| format!("the test node `{name}` {why}"))?;
        Ok((name, test))
    });
    let tests: BTreeMap<String, TestNode> = tests.collect::<Result<_, String>>()?;
    let rule = |(filter, name): (String, String)| {
        let by = tests.get(&name).cloned().map_or(Substitute::Node(name), Substitute::Test);
        Substitution { filter, by }
    };
    Ok(rules.into_iter().map(rule).collect())
}

impl Config {
    fn node(self) -> Result<TestNode, String> {
        let status = match &self.return_status {
            Some(name) => TestStatus::named(name).ok_or_else(|| {
                format!("has the status `{name}`; statuses are RUNNING, SUCCESS, FAILURE and SKIPPED")
            })?,
            None if self.return_status_script.is_empty() => {
                return Err("has neither `return_status` nor `return_status_script`".to_owned());
            }
            None => TestStatus::default(),
        };
        Ok(TestNode {
            status,
            delay: self.async_delay,
            status_script: self.return_status_script,
            success_script: self.success_script,
            failure_script: self.failure_script,
            post_script: self.post_script,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_name_test_nodes_and_types() {
        let text = r#"{
            "TestNodeConfigs": {"slow": {"return_status": "FAILURE", "async_delay": 100, "post_script": "p := 2"}},
            "SubstitutionRules": {"walk": "slow", "Aim": "AlwaysSuccess"}
        }"#;
        let slow = TestNode {
            status: TestStatus::Failure,
            delay: 100,
            post_script: "p := 2".to_owned(),
            ..TestNode::default()
        };
        let rule = |filter: &str, by| Substitution { filter: filter.to_owned(), by };
        let expected =
            [rule("Aim", Substitute::Node("AlwaysSuccess".to_owned())), rule("walk", Substitute::Test(slow))];
        assert_eq!(read(text).as_deref(), Ok(&expected[..]));
    }

    #[test]
    fn wrong_rules_are_refused() {
        let cases = [
            ("{", "EOF while parsing an object at line 1 column 1"),
            ("{\"TestNodeConfigs\": {}}", "missing field `SubstitutionRules` at line 1 column 23"),
            (
                "{\"TestNodeConfigs\": {\"t\": {\"return_status\": \"IDLE\"}}, \"SubstitutionRules\": {}}",
                "the test node `t` has the status `IDLE`; statuses are RUNNING, SUCCESS, FAILURE and SKIPPED",
            ),
            (
                "{\"TestNodeConfigs\": {\"t\": {}}, \"SubstitutionRules\": {}}",
                "the test node `t` has neither `return_status` nor `return_status_script`",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), Err(expected.to_owned()));
        }
        let unknown = "{\"TestNodeConfigs\": {\"t\": {\"delay\": 1}}, \"SubstitutionRules\": {}}";
        assert!(read(unknown).is_err_and(|why| why.starts_with("unknown field `delay`, expected one of ")));
    }
}
