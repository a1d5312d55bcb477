//! Parameters of the call around a place.

use crate::snapshot::{Opened, Snapshot};
use gen_lsp_types::{
    ActiveParameter, Documentation, ParameterInformation, ParameterInformationLabel, SignatureHelp,
    SignatureHelpParams, SignatureInformation,
};
use pleach_edit::{Call, Declaration, FileKind, Keyword, Parameter, Space, Symbol};

/// Returns the declaration of the function or tree that a call is of.
pub(super) fn called<'s>(now: &'s Snapshot, opened: &Opened<'_>, call: Call) -> Option<&'s Declaration> {
    let space = match call.word {
        Some(Keyword::Action) => Space::Action,
        Some(Keyword::Use) => Space::Tree,
        _ => Space::Value,
    };
    let symbol = Symbol { space, name: opened.file.document().slice(call.name).into() };
    now.project.declaration(&opened.name, &symbol).map(|(_, declaration)| declaration)
}

pub(crate) fn help(now: &Snapshot, params: &SignatureHelpParams) -> Option<SignatureHelp> {
    let (opened, at) = now.at(&params.text_document_position_params)?;
    if opened.file.kind() != FileKind::Trees {
        return None;
    }
    let call = opened.file.document().site(at).call?;
    let declaration = called(now, &opened, call)?;
    let parameter = |param: &Parameter| ParameterInformation {
        label: ParameterInformationLabel::String(param.to_string()),
        documentation: None,
    };
    let comment = declaration.comment.to_string();
    let signature = SignatureInformation {
        label: declaration.heading(),
        documentation: Some(Documentation::String(comment)).filter(|_| !declaration.comment.is_empty()),
        parameters: Some(declaration.params.iter().map(parameter).collect()),
        active_parameter: None,
    };
    Some(SignatureHelp {
        signatures: vec![signature],
        active_signature: Some(0),
        active_parameter: Some(ActiveParameter::Int(call.index as u32)),
    })
}
