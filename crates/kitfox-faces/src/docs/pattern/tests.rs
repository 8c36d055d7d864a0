use super::*;

/// Reads a pattern and writes the reading; `=` before it where `interpreted_as` stays silent.
fn reading(pattern: &str) -> String {
    match read(pattern) {
        Ok(Pattern { expression, interpreted_as: None, .. }) => {
            format!("={}", render::render(&expression))
        }
        Ok(Pattern { interpreted_as: Some(reading), .. }) => reading,
        Err(error) => error.code.to_owned(),
    }
}

#[track_caller]
fn check(pattern: &str, expected: &str) {
    assert_eq!(reading(pattern), expected, "pattern {pattern:?}");
}

#[test]
fn what_fts5_accepts_means_what_it_means_there() {
    check("bgp", "=bgp");
    check("bgp ospf", "=bgp AND ospf");
    check("\"route reflector\"", "=\"route reflector\"");
    check("snake_case", "=\"snake case\"");
    check("config*", "=config*");
    check("config *", "=config*");
    check("\"one two\" *", "=\"one two\"*");
    check("a*b", "=a* AND b");
    check("a + \"b c\"", "=\"a b c\"");
    check("a + b*", "=\"a b\"*");
    check("a OR b AND c", "=a OR b AND c");
    check("a AND b NOT c", "=a AND b NOT c");
    check("a NOT b c", "=a NOT (b AND c)");
    check("a b NOT c", "=(a AND b) NOT c");
    check("a NOT b NOT c", "=a NOT (b OR c)");
    check("(a OR b) AND c", "=(a OR b) AND c");
    check("a AND(b OR c)", "=a AND (b OR c)");
    check("and or", "=and AND or");
    check("\"AND\"", "=\"AND\"");
    check("NEAR", "=\"NEAR\"");
    check("\"say \"\"hi\"\"\"", "=\"say hi\"");
}

#[test]
fn what_fts5_rejects_is_read_as_meant() {
    check("MP-BGP", "\"MP BGP\"");
    check("v1.2.3", "\"v1 2 3\"");
    check("std::vector", "\"std vector\"");
    check("don't", "\"don t\"");
    check("10.0.0.1/24", "\"10 0 0 1 24\"");
    check("C++", "C");
    check("what is bgp?", "what AND is AND bgp");
    check("docs/a b.md", "\"docs a\" AND \"b md\"");
    check("http://a.b:80", "\"http a b 80\"");
    check("localhost:8080", "\"localhost 8080\"");
    check("path::join", "\"path join\"");
    check("\"route reflector", "\"route reflector\"");
    check("bgp, ospf", "bgp AND ospf");
    check("--verbose", "verbose");
    check("MP-B*", "\"MP B\"*");
    check("*conf", "conf");
    check("route(x, y)", "\"route x\" AND y");
    check("f() OR g()", "f OR g");
    check("(a OR b) c", "(a OR b) AND c");
    check("a (b", "a AND b");
    check("a) b", "a AND b");
    check("a AND", "a");
    check("OR a", "a");
    check("a AND OR b", "a OR b");
    check("a NOT", "a");
    check("a AND NOT b", "a NOT b");
    check("a AND NOT b AND c", "a NOT b AND c");
    check("a + ", "a");
}

#[test]
fn what_has_no_reading_is_an_error() {
    for pattern in ["", "  ", "AND", "*", "()", "\"\"", "?!", "("] {
        check(pattern, "empty_query");
    }
    for pattern in ["NOT a", "a OR NOT b", "(NOT a)"] {
        check(pattern, "invalid_query");
    }
    for pattern in [
        "NEAR(a b, 10)",
        "NEAR (a b)",
        "^first",
        "section: bgp",
        "title:bgp",
        "-path : x",
        "{text title} : x",
    ] {
        check(pattern, "unsupported_query");
    }
    check(&"(".repeat(100), "invalid_query");
    check(&"a ".repeat(4000), "query_too_long");
}

#[test]
fn operators_forbid_relaxing() {
    for (pattern, operators) in
        [("a b", false), ("\"a b\" c-d", false), ("a OR b", true), ("a*", true), ("(a)", true)]
    {
        assert_eq!(read(pattern).unwrap().operators, operators, "pattern {pattern:?}");
    }
}

#[test]
fn hits_are_what_a_match_contains() {
    let hits = Hits::of(&read("Route AND conf* NOT bgp").unwrap().expression);
    assert!(hits.contains("route") && hits.contains("config"));
    assert!(!hits.contains("bgp") && !hits.contains("and"));
    assert!(!Hits::plain("how is the route").contains("the"));
}
