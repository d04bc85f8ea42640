//! What the engines beside the ordinary ones do in a second, side by side on one machine in one run: appends to journals,
//! searches of very many vectors, runs that workers take up.

mod journal;
mod vectors;
mod workers;

use std::process::ExitCode;
use std::time::Duration;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct ScaleArgs {
    /// URLs of PostgreSQL servers [default: those of ELENCHUS_TEST_POSTGRES]
    #[arg(long, value_name = "URL")]
    postgres: Vec<String>,
    /// Numbers of points to search among.
    #[arg(long, value_delimiter = ',', default_value = "100000")]
    points: Vec<usize>,
    /// Searches of each kind.
    #[arg(long, default_value_t = 100)]
    searches: usize,
    /// Appends of each kind; 0 leaves them out.
    #[arg(long, default_value_t = 2_000)]
    appends: usize,
    /// Abandoned runs that workers take up; 0 leaves them out.
    #[arg(long, default_value_t = 120)]
    runs: usize,
}

pub(crate) async fn run(args: &ScaleArgs) -> Result<ExitCode, String> {
    let mut servers = Vec::new();
    let named = std::env::var("ELENCHUS_TEST_POSTGRES").unwrap_or_default();
    let urls: Vec<String> = match args.postgres.as_slice() {
        [] => named.split_whitespace().map(str::to_owned).collect(),
        given => given.to_vec(),
    };
    if urls.is_empty() {
        println!("skip: PostgreSQL: neither --postgres nor ELENCHUS_TEST_POSTGRES names a server");
    }
    for url in urls {
        servers.push(Server::look(url).await?);
    }
    let optimised = if cfg!(debug_assertions) { "a debug build" } else { "a release build" };
    println!("{optimised}; load average at the beginning: {}", load());
    if args.appends > 0 {
        journal::measure(args.appends, &servers).await?;
    }
    if args.runs > 0 {
        workers::measure(args.runs, &servers).await?;
    }
    for points in &args.points {
        vectors::measure(*points, args.searches, &servers).await?;
    }
    println!("load average at the end: {}", load());
    Ok(ExitCode::SUCCESS)
}

/// A PostgreSQL server with what it says of itself.
struct Server {
    url: String,
    name: String,
}

impl Server {
    async fn look(url: String) -> Result<Self, String> {
        let ask = async |what: &str| elenchus_io::pg::testkit::told(&url, what).await;
        let version = ask("SHOW server_version").await?;
        let version = version.split(' ').next().unwrap_or_default().to_owned();
        let (fsync, commit) = (ask("SHOW fsync").await?, ask("SHOW synchronous_commit").await?);
        let name = format!("PostgreSQL {version} (fsync {fsync}, synchronous_commit {commit})");
        Ok(Self { url, name })
    }

    /// The URL under which everything happens in a schema that nothing is in.
    async fn empty(&self) -> Result<String, String> {
        elenchus_io::pg::testkit::schema(&self.url).await
    }
}

fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// The time below which this share of some lies, in milliseconds.
fn quantile(times: &mut [Duration], share: f64) -> f64 {
    times.sort_unstable();
    let at = (times.len() as f64 * share) as usize;
    times.get(at.min(times.len().saturating_sub(1))).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}

/// Draws that are the same in every run (SplitMix64).
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// In `[-1, 1)`.
    fn number(&mut self) -> f32 {
        (self.next() >> 40) as f32 / 8_388_608.0 - 1.0
    }
}
