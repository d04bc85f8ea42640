//! A connection of which nobody reads what is written: it ends after a time, so that its places are somebody else's.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// A stream whose writes fail once the other side has taken nothing for a time. While there is nothing to be written no time runs.
pub(crate) struct WriteTimeout<S> {
    inner: S,
    most: Duration,
    /// Runs from the first write in vain until one that is taken.
    in_vain: Option<Pin<Box<Sleep>>>,
}

impl<S> WriteTimeout<S> {
    pub(crate) fn new(inner: S, most: Duration) -> Self {
        Self { inner, most, in_vain: None }
    }

    /// What came of a write, or that it was tried in vain for too long.
    fn in_time<T>(
        &mut self,
        cx: &mut Context<'_>,
        done: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if done.is_ready() {
            self.in_vain = None;
            return done;
        }
        let most = self.most;
        let timer = self.in_vain.get_or_insert_with(|| Box::pin(tokio::time::sleep(most)));
        timer.as_mut().poll(cx).map(|()| {
            let why = format!("nothing that was written was read for {} s", most.as_secs());
            Err(io::Error::new(io::ErrorKind::TimedOut, why))
        })
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.inner).poll_write(cx, buf);
        self.in_time(cx, done)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A flush with nothing to write is ready whether or not anything was taken.
        let done = Pin::new(&mut self.inner).poll_flush(cx);
        if done.is_pending() { self.in_time(cx, done) } else { done }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.inner).poll_shutdown(cx);
        self.in_time(cx, done)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.inner).poll_write_vectored(cx, bufs);
        self.in_time(cx, done)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::time::Instant;

    const MOST: Duration = Duration::from_secs(30);

    #[tokio::test(start_paused = true)]
    async fn what_nobody_reads_is_written_for_so_long_only() {
        let (ours, mut theirs) = tokio::io::duplex(4);
        let mut ours = WriteTimeout::new(ours, MOST);
        // Nothing is to be written: no time runs.
        ours.write_all(b"four").await.unwrap();
        tokio::time::sleep(MOST * 3).await;
        let began = Instant::now();
        // A reader that takes a little now and then is slow, and not gone.
        let reader = tokio::spawn(async move {
            let mut one = [0; 1];
            for _ in 0..3 {
                tokio::time::sleep(Duration::from_secs(20)).await;
                theirs.read_exact(&mut one).await.unwrap();
            }
            theirs
        });
        ours.write_all(b"abc").await.unwrap();
        let held = reader.await.unwrap();
        assert_eq!(began.elapsed().as_secs(), 60);
        let error = ours.write_all(b"d").await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(began.elapsed().as_secs(), 90);
        drop(held);
    }
}
