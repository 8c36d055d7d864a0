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
    check("a+b", "=\"a b\"");
    check("a+ \"b c\"", "=\"a b c\"");
    check("a* + b c", "=a* + b AND c");
    check("\"a b\" * + c*", "=\"a b\"* + c*");
}

#[test]
fn phrases_near_one_another_and_first() {
    check("NEAR(a b)", "=NEAR(a b, 10)");
    check("NEAR (a \"b c\" d* e + f, 5)", "=NEAR(a \"b c\" d* \"e f\", 5)");
    check("NEAR(a)", "=a");
    check("x NEAR(a b,3) y NOT NEAR(c d)", "=(x AND NEAR(a b, 3) AND y) NOT NEAR(c d, 10)");
    check("NEAR(a b, 99999999999)", "=NEAR(a b, 4294967295)");
    check("NEAR(MP-BGP, route(x), 5)", "NEAR(\"MP BGP\" \"route x\", 5)");
    check("NEAR(a AND b)", "NEAR(a b, 10)");
    check("NEAR(a ^b", "NEAR(a b, 10)");
    check("NEAR(a b, 5", "NEAR(a b, 5)");
    check("NEAR()", "empty_query");
    check("near(a b)", "\"near a\" AND b");
    check("^a", "=^a");
    check("^ \"a b\"*", "=^\"a b\"*");
    check("a ^b + c OR d", "=a AND ^\"b c\" OR d");
    check("^MP-BGP", "^\"MP BGP\"");
    check("x^2", "\"x 2\"");
    check("^", "empty_query");
    check("^(a b)", "a AND b");
}

#[test]
fn columns_are_filtered() {
    check("section: a b", "=section: a AND b");
    check("section : \"a b\" text:c", "=section: \"a b\" AND text: c");
    check("SECTION:a", "=section: a");
    check("\"path\" : a", "=path: a");
    check("{title path} : a", "={title path}: a");
    check("{ \"title\" } : a", "=title: a");
    check("- title : a", "=-title: a");
    check("-{title path}: a", "=a");
    check("path: ^a", "=path: ^a");
    check("path: NEAR(a b)", "=path: NEAR(a b, 10)");
    check("path: (a OR b)", "=path: a OR path: b");
    check("{text path}: (a AND path: b)", "={text path}: a AND path: b");
    check("{text path}: ({title path}: (a OR text: b))", "=path: a OR {}: b");
    check("path:(a) NOT (title:b c)", "=path: a NOT (title: b AND c)");
    check("path:src/main.rs", "path: \"src main rs\"");
    check("section: --no-cache", "section: \"no cache\"");
    check("a path:(b OR c)", "a AND (path: b OR path: c)");
    check("title: path: a", "{}: a");
    check("title:", "title");
    check("title: AND a", "a");
    check("{}: a", "a");
}

#[test]
fn ordinary_punctuation_is_read_as_words() {
    for (pattern, expected) in [
        ("--no-cache", "\"no cache\""),
        ("-x", "x"),
        ("tar -xzf", "tar AND xzf"),
        ("a.b@example.org", "\"a b example org\""),
        ("https://example.org/a?b=c#d", "\"https example org a b c d\""),
        ("path://a", "\"path a\""),
        ("note: this", "note AND this"),
        ("full-text: x", "\"full text\" AND x"),
        ("{a} x", "a AND x"),
        ("{\"a\": 1}", "a AND 1"),
        ("C# F# C++", "C# AND F# AND C++"),
        ("C++ lang", "C++ AND lang"),
        ("C++17", "\"C++ 17\""),
        ("C++*", "=C++*"),
        ("learn + C++", "\"learn C++\""),
        ("2024-06-01", "\"2024 06 01\""),
        ("10 km/h", "10 AND \"km h\""),
        ("5'10\" tall", "\"5 10\" AND tall"),
        ("‘quoted’", "=quoted"),
        ("rocket 🚀", "rocket"),
        ("検索する", "=\"検索 索す する\""),
        ("C:\\Users\\x", "\"C Users x\""),
        ("$HOME/.ssh", "\"HOME ssh\""),
        ("a && b || c", "a AND b AND c"),
        ("x = y;", "x AND y"),
        ("#include <a.h>", "include AND \"a h\""),
        ("a | b", "a AND b"),
        ("[link](url)", "\"link url\""),
        ("100%", "100"),
        ("~/a:b", "\"a b\""),
        ("NEAR/5", "\"NEAR 5\""),
    ] {
        check(pattern, expected);
    }
}

#[test]
fn what_fts5_rejects_is_read_as_meant() {
    check("MP-BGP", "\"MP BGP\"");
    check("v1.2.3", "\"v1 2 3\"");
    check("std::vector", "\"std vector\"");
    check("don't", "\"don t\"");
    check("10.0.0.1/24", "\"10 0 0 1 24\"");
    check("C++", "=C++");
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
    for pattern in ["NEAR(a OR b)", "NEAR(a b NOT c, 5)", "{text body}: x", "-{headings}: x"] {
        check(pattern, "invalid_query");
    }
    check(&"(".repeat(100), "invalid_query");
    check(&"a ".repeat(4000), "query_too_long");
}

#[test]
fn operators_forbid_relaxing() {
    for (pattern, operators) in [
        ("a b", false),
        ("\"a b\" c-d", false),
        ("a OR b", true),
        ("a*", true),
        ("(a)", true),
        ("^a", true),
        ("path: a", true),
        ("NEAR(a b)", true),
        ("a + b", false),
    ] {
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
