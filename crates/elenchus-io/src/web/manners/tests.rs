use super::*;
use futures_util::future::join_all;
use std::sync::atomic::{AtomicUsize, Ordering};

fn manners() -> Arc<Manners> {
    Arc::new(Manners::new(Custom {
        at_a_host: 2,
        at_once: 8,
        longest_wait: Duration::from_millis(400),
        longest_rest: Duration::from_mins(1),
    }))
}

/// Takes turns at these hosts, each for a while, and returns the most that were under way.
async fn most_under_way(manners: &Arc<Manners>, hosts: Vec<String>) -> usize {
    let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    join_all(hosts.iter().map(async |host| {
        let turn = manners.turn(host, Duration::ZERO).await.unwrap();
        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(10)).await;
        now.fetch_sub(1, Ordering::SeqCst);
        drop(turn);
    }))
    .await;
    most.into_inner()
}

#[tokio::test]
async fn few_at_a_host_and_few_in_all() {
    let manners = manners();
    assert_eq!(most_under_way(&manners, vec!["a".to_owned(); 10]).await, 2);
    let hosts = (0..30).map(|host| format!("host{host}")).collect();
    assert_eq!(most_under_way(&manners, hosts).await, 8);
}

#[tokio::test]
async fn a_slow_host_does_not_hold_up_the_others() {
    let manners = manners();
    let _held = [
        manners.turn("slow", Duration::ZERO).await.unwrap(),
        manners.turn("slow", Duration::ZERO).await.unwrap(),
    ];
    let waiting = (0..20).map(|_| {
        let manners = Arc::clone(&manners);
        tokio::spawn(async move { manners.turn("slow", Duration::ZERO).await.map(|_| ()) })
    });
    let waiting: Vec<_> = waiting.collect();
    manners.turn("quick", Duration::ZERO).await.unwrap();
    for waiting in waiting {
        assert_eq!(waiting.await.unwrap(), Err(NoTurn::Busy));
    }
}

#[tokio::test]
async fn too_long_a_queue_is_told_at_once() {
    let manners = manners();
    let pause = Duration::from_millis(300);
    manners.turn("a", pause).await.unwrap();
    manners.turn("a", pause).await.unwrap();
    let third = manners.turn("a", Duration::from_secs(9)).await;
    assert!(third.is_ok());
    let begun = Instant::now();
    assert_eq!(manners.turn("a", pause).await.unwrap_err(), NoTurn::Busy);
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn rests_are_kept_and_capped() {
    let manners = manners();
    manners.rest("a", Duration::MAX);
    let Err(NoTurn::Resting(left)) = manners.turn("a", Duration::ZERO).await else {
        panic!("a turn at rest")
    };
    assert!(left <= Duration::from_mins(1) && left > Duration::from_secs(50));
    // A later, shorter wish does not end the rest.
    manners.rest("a", Duration::ZERO);
    assert!(manners.turn("a", Duration::ZERO).await.is_err());
    assert!(manners.turn("b", Duration::ZERO).await.is_ok());
}

#[tokio::test]
async fn hosts_are_forgotten_unless_they_rest() {
    let manners = manners();
    manners.rest("rests", Duration::from_secs(50));
    for host in 0..3 * MOST_HOSTS {
        manners.turn(&format!("h{host}"), Duration::ZERO).await.unwrap();
    }
    let hosts = manners.hosts.lock().unwrap();
    assert!(hosts.len() <= MOST_HOSTS + 1, "{}", hosts.len());
    assert!(hosts.contains_key("rests"));
}
