//! Who holds a lease: a name that says which process it is, so that the lease of a dead one need not be waited for.

use std::hash::{BuildHasher, RandomState};

/// A name for one start of one process: `host-identity/pid/start/nonce`.
///
/// On Linux the identity is boot and process namespace, so that a name from another machine, another
/// container or before a reboot is never taken for a process that can be looked up here.
pub fn name() -> String {
    let nonce = RandomState::new().hash_one(std::process::id());
    let pid = std::process::id();
    let (space, start) = (space().unwrap_or_default(), start_of(pid).unwrap_or_default());
    format!("{space}/{pid}/{start}/{nonce:016x}")
}

/// What tells this machine (on Linux: this start of it, and this container) from others; empty where that cannot be known.
pub fn space_name() -> String {
    space().unwrap_or_default()
}

/// Whether the process behind a name is known to be gone. `false` where that cannot be known.
pub(crate) fn is_dead(holder: &str) -> bool {
    let mut parts = holder.split('/');
    let (Some(there), Some(pid), Some(start)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let (Some(here), Ok(pid)) = (space(), pid.parse::<u32>()) else { return false };
    if there != here || start.is_empty() {
        return false;
    }
    // A process with the same number and another start is another process.
    start_of(pid).is_none_or(|now| now != start)
}

#[cfg(target_os = "linux")]
fn space() -> Option<String> {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let namespace = std::fs::read_link("/proc/self/ns/pid").ok()?;
    let digits: String = namespace.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
    Some(format!("{}-{digits}", boot.trim()))
}

/// When a process started, in clock ticks since boot. A zombie counts as gone.
#[cfg(target_os = "linux")]
fn start_of(pid: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the program's name in parentheses and may hold anything.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    if state == "Z" || state == "X" {
        return None;
    }
    fields.nth(18).map(str::to_owned)
}

#[cfg(not(target_os = "linux"))]
fn space() -> Option<String> {
    None
}

#[cfg(not(target_os = "linux"))]
fn start_of(_pid: u32) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::{is_dead, name};

    #[test]
    fn names_differ_and_a_living_process_is_not_dead() {
        let (a, b) = (name(), name());
        assert_ne!(a, b);
        assert!(!is_dead(&a));
    }

    #[test]
    fn what_cannot_be_known_is_not_dead() {
        for holder in ["", "laptop", "elsewhere/1/2/3", "a/b/c/d", "///"] {
            assert!(!is_dead(holder), "{holder}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_is_gone_is_dead() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let pid = child.id();
        child.wait().unwrap();
        let mine = name();
        let space = mine.split('/').next().unwrap();
        assert!(is_dead(&format!("{space}/{pid}/123/0")));
        // The same number with another start is another process.
        let own = std::process::id();
        assert!(is_dead(&format!("{space}/{own}/1/0")));
    }
}
