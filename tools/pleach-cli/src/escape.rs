//! Texts inside of other texts: in XML, and paths in addresses.

/// Returns a text for XML: without markup, and without characters that XML does not allow.
pub(crate) fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Returns the address of a path, with all bytes escaped that an address cannot hold: a `file:` URI
/// if the path begins with `/` or a drive of Windows, else a relative reference.
pub(crate) fn address(path: &str) -> String {
    let path = path.replace('\\', "/");
    let has_drive = matches!(path.as_bytes(), [drive, b':', b'/', ..] if drive.is_ascii_alphabetic());
    let scheme = match path.starts_with('/') {
        true => "file://",
        false if has_drive => "file:///",
        false => "",
    };
    let mut address = scheme.to_owned();
    for (at, byte) in path.bytes().enumerate() {
        let is_plain = byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) || has_drive && at == 1;
        if is_plain {
            address.push(char::from(byte));
        } else {
            address.push_str(&format!("%{byte:02X}"));
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_has_no_markup_and_no_control_characters() {
        assert_eq!(xml("a < \"b\" & c > \u{1b}[0m"), "a &lt; &quot;b&quot; &amp; c &gt;  [0m");
    }

    #[test]
    fn paths_become_addresses() {
        assert_eq!(address("bots/my guard.bt"), "bots/my%20guard.bt");
        assert_eq!(address("bots\\a:b.bt"), "bots/a%3Ab.bt");
        assert_eq!(address("/a b/\u{e4}.bt"), "file:///a%20b/%C3%A4.bt");
        assert_eq!(address("C:\\a b.bt"), "file:///C:/a%20b.bt");
    }
}
