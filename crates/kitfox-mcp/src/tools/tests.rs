//! The wire contract of the tools: committed definitions, and answers that keep to them.

use kitfox_faces::*;

use super::*;

#[test]
fn definitions_are_those_committed() {
    insta::with_settings!({sort_maps => true, prepend_module_to_snapshot => false}, {
        insta::assert_json_snapshot!("definitions", definitions(&[Kind::Code, Kind::Docs, Kind::Records], true));
    });
}

#[test]
fn only_tools_of_configured_kinds_are_offered() {
    let check = |kinds: &[Kind], expected: &[&str]| {
        let tools = offered(|kind| kinds.contains(&kind), false);
        let names: Vec<&str> = tools.map(|tool| tool.name).collect();
        assert_eq!(names, expected, "for {kinds:?}");
    };
    check(&[], &[]);
    check(
        &[Kind::Code],
        &[
            "semantic_search",
            "read_project_artifacts",
            "search_project_artifacts",
            "get_file_skeleton",
            "search_code_skeletons",
            "find_related",
            "get_project_map",
            "list_projects",
        ],
    );
    check(&[Kind::Docs], &["search_doc", "read_doc", "list_doc", "list_categories"]);
}

#[test]
fn input_schemas_are_plain_enough_for_every_client() {
    for tool in &TOOLS {
        let text = schema::input(tool.parameters).to_string();
        for refused in ["anyOf", "oneOf", "allOf", "$ref", "\"null\"", "\"type\":["] {
            assert!(!text.contains(refused), "{} has {refused}", tool.name);
        }
        assert!(tool.parameters.iter().all(|parameter| !parameter.description.is_empty()));
    }
}

#[test]
fn answers_keep_to_their_output_schemas() {
    let index = IndexStatus { state: "ready", done: 1, total: 2 };
    check("semantic_search", &code_answer(index.clone()));
    check("find_related", &CodeAnswer { message: None, ..code_answer(index.clone()) });
    check("read_project_artifacts", &artifacts_answer());
    check("search_project_artifacts", &matches_answer());
    check("get_file_skeleton", &skeleton_answer());
    check("search_code_skeletons", &definitions_answer(index.clone()));
    check("get_project_map", &map_answer(index.clone()));
    check("search_doc", &docs_answer(index.clone()));
    check("list_doc", &categories_answer(index.clone()));
    check(
        "list_categories",
        &CategoriesAnswer { truncated: None, ..categories_answer(index.clone()) },
    );
    check("read_doc", &read_answer(index.clone()));
    check("list_projects", &projects_answer(index));
}

#[track_caller]
fn check(tool: &str, answer: &impl Serialize) {
    let tool = TOOLS.iter().find(|each| each.name == tool).expect("a tool of this name");
    let schema = schema::object(tool.output);
    let value = Answer::of(answer).expect("an answer is JSON").value;
    conforms(&value, &schema, &schema, tool.name);
}

/// Checks a value against the part of JSON Schema that our tables produce, and that no field is
/// undeclared.
#[track_caller]
fn conforms(value: &Value, schema: &Value, root: &Value, place: &str) {
    if let Some(pointer) = schema["$ref"].as_str() {
        let target = root.pointer(pointer.trim_start_matches('#')).expect("the pointer resolves");
        return conforms(value, target, root, place);
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_u64() && schema["type"] != "number" => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let declared = &schema["type"];
    let fits = |kind: &str| declared == kind || declared[0] == kind || declared[1] == kind;
    assert!(fits(kind), "{place} is {kind}, declared {declared}");
    if let Some(values) = schema["enum"].as_array() {
        assert!(values.contains(value), "{place} is {value}");
    }
    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
        conforms(item, &schema["items"], root, &format!("{place}[{number}]"));
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        assert!(value.get(name).is_some(), "{place} has no {name}");
    }
    for (name, field) in value.as_object().into_iter().flatten() {
        let declared = schema["properties"].get(name);
        let declared = declared.unwrap_or_else(|| panic!("{place}.{name} is not declared"));
        conforms(field, declared, root, &format!("{place}.{name}"));
    }
}

fn code_answer(index: IndexStatus) -> CodeAnswer {
    let hit = CodeHit {
        path: "src/lib.rs".to_string(),
        section: "Router::route".to_string(),
        start_line: 1,
        end_line: 9,
        distance: Some(0.5),
        content: Some("fn route() {}".to_string()),
        warning: None,
        symbol: Some("route".to_string()),
        kind: "function".to_string(),
        score: 1.5,
    };
    let bare = CodeHit { distance: None, content: None, symbol: None, ..hit.clone() };
    let message = Some("nothing below `srcs`".to_string());
    CodeAnswer { hits: vec![hit, bare], message, warnings: vec!["no `*.x`".to_string()], index }
}

fn artifacts_answer() -> ArtifactsAnswer {
    let read = Artifact {
        path: "src/lib.rs".to_string(),
        start_line: Some(1),
        end_line: Some(2),
        total_lines: Some(9),
        content: Some("fn route() {}".to_string()),
        more: Some("cut".to_string()),
        error: None,
    };
    let error = Some("no such file".to_string());
    ArtifactsAnswer { results: vec![read, Artifact { error, ..Artifact::default() }] }
}

fn matches_answer() -> MatchesAnswer {
    let found = Match {
        path: "src/lib.rs".to_string(),
        line: 2,
        column: 1,
        text: "fn route() {}".to_string(),
        before: vec![String::new()],
        after: vec![],
    };
    MatchesAnswer {
        matches: vec![found],
        message: Some("nothing below `srcs`".to_string()),
        warnings: vec!["no `*.x`".to_string()],
        next_cursor: Some("src/lib.rs:2".to_string()),
    }
}

fn skeleton_answer() -> SkeletonAnswer {
    let item = SkeletonItem {
        symbol: "Router::route".to_string(),
        kind: "method".to_string(),
        signature: "fn route(&self)".to_string(),
        doc: String::new(),
        start_line: 1,
        end_line: 9,
        depth: 1,
    };
    SkeletonAnswer {
        path: "src/lib.rs".to_string(),
        language: "rust".to_string(),
        total_lines: 9,
        items: vec![item],
        message: Some("no outline".to_string()),
        more: Some("raise `depth`".to_string()),
    }
}

fn definitions_answer(index: IndexStatus) -> DefinitionsAnswer {
    let definition = Definition {
        symbol: "Router::route".to_string(),
        kind: "method".to_string(),
        signature: "fn route(&self)".to_string(),
        doc: String::new(),
        path: "src/lib.rs".to_string(),
        start_line: 1,
        end_line: 9,
    };
    let message = Some("nothing below `srcs`".to_string());
    let warnings = vec!["no `x`".to_string()];
    DefinitionsAnswer { definitions: vec![definition], message, warnings, index }
}

fn map_answer(index: IndexStatus) -> MapAnswer {
    let directory =
        MapDirectory { path: "src".to_string(), files: 2, languages: vec!["rust".to_string()] };
    let symbol = MapSymbol {
        symbol: "Router".to_string(),
        kind: "struct".to_string(),
        path: "src/lib.rs".to_string(),
        start_line: 1,
        references: 7,
    };
    MapAnswer {
        files: 2,
        passages: 9,
        languages: vec![LanguageCount { name: "rust".to_string(), files: 2 }],
        directories: vec![directory],
        symbols: vec![symbol],
        message: Some("nothing below `srcs`".to_string()),
        more: vec!["deeper directories".to_string()],
        index,
    }
}

fn docs_answer(index: IndexStatus) -> DocsAnswer {
    let hit = DocHit {
        category: "cisco".to_string(),
        subcategory: Some("aci".to_string()),
        file_name: "guide".to_string(),
        chunk_number: 0,
        page_start: Some(1),
        page_end: None,
        section: "Install".to_string(),
        score: 2.5,
        snippet: "the **fabric**".to_string(),
        path: "cisco/aci/guide.md".to_string(),
        lines: Some("1-4".to_string()),
    };
    let interpreted_as = Some("\"MP BGP\"".to_string());
    DocsAnswer { results: vec![hit], next_offset: Some(5), total: 9, interpreted_as, index }
}

fn categories_answer(index: IndexStatus) -> CategoriesAnswer {
    let file = DocFile { name: "guide".to_string(), chunks_num: 3 };
    let inner = Category { name: "aci".to_string(), files: vec![file], subcategories: vec![] };
    let outer = Category { name: "cisco".to_string(), files: vec![], subcategories: vec![inner] };
    CategoriesAnswer { categories: vec![outer], truncated: Some("name a category".into()), index }
}

fn read_answer(index: IndexStatus) -> ReadAnswer {
    let chunk = Chunk {
        chunk_number: 0,
        page_start: None,
        page_end: None,
        section: "Install".to_string(),
        header: Some("| a | b |".to_string()),
        text: "| 1 | 2 |".to_string(),
    };
    let link = Link {
        text: "next".to_string(),
        target: "../next.md".to_string(),
        file_name: "cisco/next.md".to_string(),
    };
    ReadAnswer {
        path: "cisco/aci/guide.md".to_string(),
        chunks: vec![chunk],
        total_chunks: 3,
        missing: vec![7],
        links: vec![link],
        more: Some("`range` 5-9".to_string()),
        index,
    }
}

fn projects_answer(index: IndexStatus) -> ProjectsAnswer {
    let languages = vec![LanguageCount { name: "rust".to_string(), files: 2 }];
    let project = Project { name: "kitfox".to_string(), files: 2, passages: 9, languages, index };
    ProjectsAnswer { projects: vec![project] }
}
