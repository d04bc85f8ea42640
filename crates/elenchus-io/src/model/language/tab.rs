//! What one call uses, request by request: as far as a server tells it, else by an estimate.

use super::price::Price;
use super::wire::Reading;
use elenchus_core::port::{Meter, Usage};

/// The tokens and the money of a call, written on a meter as they are used.
pub(super) struct Tab<'a> {
    meter: &'a Meter,
    price: Option<Price>,
    /// Tokens of the prompt, estimated.
    prompt: u64,
    /// Of requests that are over.
    over: Usage,
    /// Of the one under way, as far as it is known.
    open: Usage,
    /// Requests that have used something.
    paid: u32,
}

impl<'a> Tab<'a> {
    /// Nothing is sent yet. `prompt` is an estimate of the tokens that each request sends.
    pub(super) fn new(meter: &'a Meter, price: Option<Price>, prompt: u64) -> Self {
        let (over, open) = (Usage::default(), Usage::default());
        Self { meter, price, prompt, over, open, paid: 0 }
    }

    /// The prompt goes out. Whoever gives up from now on may have to pay for it.
    pub(super) fn sent(&mut self) {
        self.set(self.prompt, 0);
    }

    /// A reply is coming. Counts of a stream that goes on are out of date, hence the greater of what was told and what
    /// has come.
    pub(super) fn coming(&mut self, reading: &Reading) {
        let (input, output) = reading.told();
        let about = super::request::tokens_about(reading.received());
        self.set(input.unwrap_or(self.prompt), output.unwrap_or(0).max(about));
    }

    /// The request under way is known to have used so much.
    pub(super) fn set(&mut self, input_tokens: u64, output_tokens: u64) {
        let cost_micro_usd =
            self.price.map_or(0, |price| price.micro_usd(input_tokens, output_tokens));
        let now = Usage { input_tokens, output_tokens, cost_micro_usd };
        self.meter.correct(self.open, now);
        self.open = now;
    }

    /// The server turned the request down, or it never got there: there is nothing to pay for.
    pub(super) fn turned_down(&mut self) {
        self.meter.correct(self.open, Usage::default());
        self.open = Usage::default();
    }

    /// The request is over.
    pub(super) fn close(&mut self) {
        self.paid += u32::from(!self.open.is_nothing());
        self.over.count(self.open);
        self.open = Usage::default();
    }

    /// All requests together.
    pub(super) fn total(&self) -> Usage {
        let mut total = self.over;
        total.count(self.open);
        total
    }

    /// Whether a request before the last has used something. What such a one has used is an estimate.
    pub(super) fn paid_for_more_than_one(&self) -> bool {
        self.paid > 1
    }

    /// Tokens of the prompt, estimated.
    pub(super) fn prompt(&self) -> u64 {
        self.prompt
    }
}
