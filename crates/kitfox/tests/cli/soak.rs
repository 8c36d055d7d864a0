//! The long trial: many servers on one tree that is edited all the time, while the process that
//! writes the index is killed again and again. Every answer is compared with what the files held.
//!
//! Left out of ordinary test runs; CONTRIBUTING.md says how to run it. Read from the environment:
//! `KITFOX_SOAK_SECONDS` (60), `KITFOX_SOAK_FILES` (5000), `KITFOX_SOAK_KILL_SECONDS` between two
//! kills (5; 0 never).

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const SERVERS: usize = 6;
/// An answer may be this much behind the files: finding a dead writer, a burst, a busy machine.
const STALENESS: Duration = Duration::from_secs(15);
const EDIT_PAUSE: Duration = Duration::from_millis(25);
const BURST_PAUSE: Duration = Duration::from_secs(30);
const BURST: usize = 1000;

#[test]
#[ignore = "takes minutes"]
fn nothing_is_lost_and_nothing_is_made_up() {
    let seconds = setting("KITFOX_SOAK_SECONDS", 60);
    let trial = Trial::new(setting("KITFOX_SOAK_FILES", 5000) as usize);
    trial.index();
    let kill_pause = Duration::from_secs(setting("KITFOX_SOAK_KILL_SECONDS", 5));
    thread::scope(|scope| {
        scope.spawn(|| trial.edit());
        scope.spawn(|| trial.watch_locks());
        if !kill_pause.is_zero() {
            scope.spawn(|| trial.kill_writers(kill_pause));
        }
        for slot in 0..SERVERS {
            let trial = &trial;
            scope.spawn(move || trial.ask(slot));
        }
        trial.sample_memory(Duration::from_secs(seconds));
        trial.over.store(true, Ordering::Relaxed);
    });
    trial.settle();
    trial.report();
    assert_eq!(trial.wrong.lock().unwrap().as_slice(), &[] as &[String]);
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// What a file held and from when to when it may have been written.
struct Change {
    begun: Instant,
    ended: Instant,
    version: Option<u64>,
}

/// Everything the parts of the trial share.
struct Trial {
    folder: tempfile::TempDir,
    /// By path relative to the tree.
    files: Mutex<BTreeMap<String, Vec<Change>>>,
    pids: Mutex<[u32; SERVERS]>,
    over: AtomicBool,
    wrong: Mutex<Vec<String>>,
    memory: Mutex<Vec<(u64, u64)>>,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    versions: AtomicUsize,
    edits: AtomicUsize,
    searches: AtomicUsize,
    must_be_found: AtomicUsize,
    must_be_gone: AtomicUsize,
    kills: AtomicUsize,
    restarts: AtomicUsize,
    lock_looks: AtomicUsize,
}

impl Trial {
    fn new(files: usize) -> Trial {
        let trial = Trial {
            folder: tempfile::tempdir().unwrap(),
            files: Mutex::default(),
            pids: Mutex::default(),
            over: AtomicBool::new(false),
            wrong: Mutex::default(),
            memory: Mutex::default(),
            counts: Counts::default(),
        };
        let config = "data_dir = 'data'\nmax_search_results = 10\n\
                      [[docs]]\nname = 'pages'\npath = 'tree'\n";
        fs::write(trial.folder.path().join("kitfox.toml"), config).unwrap();
        for number in 0..files {
            trial.write(&format!("d{}/e{}/f{number}.md", number % 97, number % 31));
        }
        trial
    }

    fn tree(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    fn files(&self) -> MutexGuard<'_, BTreeMap<String, Vec<Change>>> {
        self.files.lock().unwrap()
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    fn wrong(&self, what: String) {
        eprintln!("wrong: {what}");
        self.wrong.lock().unwrap().push(what);
    }

    fn command(&self, argument: &str) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("kitfox"));
        command.current_dir(self.folder.path()).arg(argument);
        command
    }

    fn index(&self) {
        let begun = Instant::now();
        assert!(self.command("index").status().unwrap().success());
        eprintln!("first index: {:.1} s", begun.elapsed().as_secs_f64());
    }

    /// Gives a file a version of its own, as editors do: written beside and renamed over it.
    fn write(&self, path: &str) {
        let version = self.counts.versions.fetch_add(1, Ordering::Relaxed) as u64;
        let file = self.tree().join(path);
        let begun = Instant::now();
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let beside = file.with_extension("tmp~");
        fs::write(&beside, page(version)).unwrap();
        fs::rename(&beside, &file).unwrap();
        self.note(path, begun, Some(version));
    }

    fn remove(&self, path: &str) {
        let begun = Instant::now();
        if fs::remove_file(self.tree().join(path)).is_ok() {
            self.note(path, begun, None);
        }
    }

    /// Moves a file to a new name; both names change at once as far as anybody can see.
    fn rename(&self, from: &str, to: &str) {
        let version = self.files().get(from).and_then(|changes| changes.last()?.version);
        let begun = Instant::now();
        if version.is_some() && fs::rename(self.tree().join(from), self.tree().join(to)).is_ok() {
            self.note(from, begun, None);
            self.note(to, begun, version);
        }
    }

    fn note(&self, path: &str, begun: Instant, version: Option<u64>) {
        let change = Change { begun, ended: Instant::now(), version };
        self.files().entry(path.to_owned()).or_default().push(change);
        self.counts.edits.fetch_add(1, Ordering::Relaxed);
    }

    fn edit(&self) {
        let mut random = Random(7);
        let mut burst = Instant::now() + BURST_PAUSE;
        while !self.is_over() {
            thread::sleep(EDIT_PAUSE);
            let path = self.some_path(&mut random);
            match random.below(20) {
                0 => self.remove(&path),
                1 => self.rename(&path, &format!("{path}.moved.md")),
                2 => self.write(&format!("new/n{}.md", random.below(100_000))),
                _ => self.write(&path),
            }
            if Instant::now() > burst {
                (0..BURST).for_each(|_| self.write(&self.some_path(&mut random)));
                burst = Instant::now() + BURST_PAUSE;
            }
        }
    }

    fn some_path(&self, random: &mut Random) -> String {
        let files = self.files();
        files.keys().nth(random.below(files.len())).unwrap().clone()
    }

    /// One client: searches for versions of random files, and starts its server again when it dies.
    fn ask(&self, slot: usize) {
        let mut random = Random(slot as u64 + 100);
        while !self.is_over() {
            let mut server = Server::start(self);
            self.pids.lock().unwrap()[slot] = server.process.id();
            self.counts.restarts.fetch_add(1, Ordering::Relaxed);
            while !self.is_over() {
                let path = self.some_path(&mut random);
                if self.check(&mut server, &path, &mut random).is_none() {
                    break;
                }
            }
            server.end();
        }
    }

    /// Searches for a version the file has or had; none where the server is gone.
    fn check(&self, server: &mut Server, path: &str, random: &mut Random) -> Option<()> {
        let versions: Vec<u64> =
            self.files()[path].iter().filter_map(|change| change.version).collect();
        let version = match random.below(3) {
            0 => versions[random.below(versions.len())],
            _ => *versions.last()?,
        };
        let asked = Instant::now();
        let answer = server.search(version)?;
        let answered = Instant::now();
        self.counts.searches.fetch_add(1, Ordering::Relaxed);
        let Some(results) = answer["structuredContent"]["results"].as_array() else {
            self.wrong(format!("no results: {answer}"));
            return Some(());
        };
        let found: Vec<&str> = results.iter().filter_map(|hit| hit["path"].as_str()).collect();
        let files = self.files();
        for (name, changes) in files.iter().filter(|(name, changes)| {
            found.contains(&name.as_str()) || changes.iter().any(|c| c.version == Some(version))
        }) {
            let (can, must) = visible(changes, version, asked - STALENESS, answered);
            let is_found = found.contains(&name.as_str());
            self.counts.must_be_found.fetch_add(usize::from(must), Ordering::Relaxed);
            self.counts.must_be_gone.fetch_add(usize::from(!can), Ordering::Relaxed);
            if is_found && !can {
                self.wrong(format!("v{version} found in {name}, which has no longer had it"));
            }
            if !is_found && must {
                self.wrong(format!("v{version} not found in {name}: {answer}"));
            }
        }
        Some(())
    }

    /// Kills whoever holds the lock of the index.
    fn kill_writers(&self, pause: Duration) {
        while !self.is_over() {
            thread::sleep(pause);
            for pid in holders(&self.lock_file()) {
                let killed = Command::new("kill").args(["-9", &pid.to_string()]).status();
                if killed.is_ok_and(|status| status.success()) {
                    self.counts.kills.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }

    /// Looks all the time how many processes hold the lock.
    fn watch_locks(&self) {
        while !self.is_over() {
            let holders = holders(&self.lock_file());
            self.counts.lock_looks.fetch_add(1, Ordering::Relaxed);
            if holders.len() > 1 {
                self.wrong(format!("{holders:?} write at the same time"));
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn lock_file(&self) -> PathBuf {
        let folder = self.folder.path().join("data/indexes/pages-docs");
        let mut files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let is_lock = |path: &PathBuf| path.extension().is_some_and(|found| found == "lock");
        files.find(is_lock).unwrap()
    }

    /// Notes the sum of the servers' anonymous memory and the largest of them, until time is up.
    fn sample_memory(&self, duration: Duration) {
        let end = Instant::now() + duration;
        while Instant::now() < end {
            thread::sleep(Duration::from_secs(5).min(duration));
            let pids = *self.pids.lock().unwrap();
            let each: Vec<u64> = pids.iter().filter_map(|pid| anonymous_kb(*pid)).collect();
            let largest = each.iter().copied().max().unwrap_or(0);
            self.memory.lock().unwrap().push((each.iter().sum(), largest));
        }
    }

    /// When nothing changes any more, a last run must find everything as it is.
    fn settle(&self) {
        assert!(self.command("index").status().unwrap().success());
        assert!(self.command("check").status().unwrap().success());
        let again = self.command("index").arg("--json").output().unwrap();
        let again: Value = serde_json::from_slice(&again.stdout).unwrap();
        let there = self.files().values().filter(|c| c.last().unwrap().version.is_some()).count();
        assert_eq!(again["sources"][0]["unchanged"], there, "{again}");
    }

    fn report(&self) {
        let of = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        let Counts { edits, searches, must_be_found, must_be_gone, .. } = &self.counts;
        let Counts { kills, restarts, lock_looks, .. } = &self.counts;
        eprintln!(
            "{} changes, {} searches ({} answers had to be there, {} had to be gone), {} kills, \
             {} server starts, {} looks at the lock",
            of(edits),
            of(searches),
            of(must_be_found),
            of(must_be_gone),
            of(kills),
            of(restarts),
            of(lock_looks),
        );
        let memory = self.memory.lock().unwrap();
        let megabytes: Vec<String> = memory
            .iter()
            .step_by((memory.len() / 20).max(1))
            .map(|(sum, largest)| format!("{}/{}", sum / 1024, largest / 1024))
            .collect();
        eprintln!("anonymous MB, all servers/largest, over time: {}", megabytes.join(" "));
    }
}

/// Whether a version can be, and whether it must be, what an index between these instants shows.
fn visible(changes: &[Change], version: u64, from: Instant, to: Instant) -> (bool, bool) {
    let mut can = false;
    let mut must = true;
    for (at, change) in changes.iter().enumerate() {
        let until = changes.get(at + 1).map(|next| next.ended);
        let overlaps = change.begun <= to && until.is_none_or(|until| until >= from);
        let is_wanted = change.version == Some(version);
        can |= overlaps && is_wanted;
        must &= !overlaps || is_wanted;
    }
    let existed = changes.first().is_some_and(|first| first.ended <= from);
    (can, must && existed && can)
}

fn page(version: u64) -> String {
    format!("# Page\n\nThis page is about zq{version}x and nothing else.\n")
}

/// The processes that hold a lock on a file, as the kernel lists them.
fn holders(file: &Path) -> Vec<u32> {
    let Ok(metadata) = fs::metadata(file) else { return Vec::new() };
    let inode = format!(":{}", std::os::unix::fs::MetadataExt::ino(&metadata));
    let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
    let holder = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_held = words.get(1) != Some(&"->") && words.get(5)?.ends_with(&inode);
        is_held.then(|| words.get(4)?.parse().ok())?
    };
    let mut holders: Vec<u32> = locks.lines().filter_map(holder).collect();
    // The list is not read in one go: a lock may be listed twice.
    holders.sort_unstable();
    holders.dedup();
    holders
}

fn anonymous_kb(pid: u32) -> Option<u64> {
    let usage = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = usage.lines().find(|line| line.starts_with("Anonymous:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// A server and a client of it.
struct Server {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    id: u64,
}

impl Server {
    fn start(trial: &Trial) -> Server {
        let mut command = trial.command("serve");
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a server");
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut server = Server { process, input, output, id: 0 };
        let client = json!({ "name": "soak", "version": "0" });
        server.request(
            "initialize",
            json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client }),
        );
        server
    }

    fn search(&mut self, version: u64) -> Option<Value> {
        // With an operator nothing is searched for more loosely where nothing is found.
        let arguments = json!({ "pattern": format!("page AND zq{version}x") });
        self.request("tools/call", json!({ "name": "search_doc", "arguments": arguments }))
    }

    /// The result of a request; none where the server died.
    fn request(&mut self, method: &str, parameters: Value) -> Option<Value> {
        self.id += 1;
        let id = self.id;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters });
        writeln!(self.input, "{request}").ok()?;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let answer: Value = serde_json::from_str(&line).ok()?;
            if answer["id"] == id {
                return Some(answer["result"].clone());
            }
        }
    }

    fn end(mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A small generator of random numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit.max(1)
    }
}
