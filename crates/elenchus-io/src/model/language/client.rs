//! The client: one model at one endpoint.

use std::sync::{Arc, Mutex, PoisonError};

use elenchus_core::port::Meter;
use reqwest::Response;

use super::endpoint::{Endpoint, EndpointError};
use super::error::{Attempt, ChatError, Unanswered};
use super::name::{ModelName, Provider};
use super::price::Price;
use super::request::{ChatReply, ChatRequest, Stop, tokens_about, tokens_at_most};
use super::said;
use super::settings::Settings;
use super::status;
use super::tab::Tab;
use super::transport::{Call, Limit, Transport};
use super::wire::{self, Fault, Gathered, Habits, Reading, Step};

/// Asks one model at one endpoint. Clones share connections, circuit breakers and what was learned of the server.
#[derive(Clone, Debug)]
pub struct ChatClient {
    pub(super) name: ModelName,
    pub(super) transport: Transport,
    habits: Arc<Mutex<Habits>>,
    /// The user's.
    price: Option<Price>,
}

impl ChatClient {
    /// A client for a model. Nothing is sent.
    ///
    /// Fails when the endpoint belongs to another provider or the HTTP client cannot be set up.
    pub fn new(name: ModelName, endpoint: Endpoint, settings: Settings) -> Result<Self, ChatError> {
        if endpoint.provider() != name.provider {
            return Err(ChatError::Endpoint(EndpointError::BadAddress {
                provider: name.provider,
                cause: format!("it was given for {}", endpoint.provider()),
            }));
        }
        let price = settings.price;
        let transport = Transport::new(&name, endpoint, settings)?;
        Ok(Self { name, transport, habits: Arc::default(), price })
    }

    /// A client for another model of the same endpoint. It shares the connections, and the circuit that opens where no
    /// connection can be made; its other troubles and its price are its own.
    pub fn for_model(&self, model: &str) -> Result<Self, ChatError> {
        let name: ModelName = format!("{}:{model}", self.name.provider).parse()?;
        Ok(Self { name, transport: self.transport.beside(), habits: Arc::default(), price: None })
    }

    /// Counts calls with this price from now on.
    #[must_use]
    pub fn priced(mut self, price: Price) -> Self {
        self.price = Some(price);
        self
    }

    /// The model.
    pub fn name(&self) -> &ModelName {
        &self.name
    }

    /// The endpoint.
    pub fn endpoint(&self) -> &Endpoint {
        &self.transport.endpoint
    }

    /// The price that calls are counted with: the user's, else the table's.
    pub fn price(&self) -> Option<Price> {
        self.price.or_else(|| Price::known(&self.name, self.endpoint()))
    }

    /// Asks, and passes the text on as it comes.
    ///
    /// `on_text` is for showing progress only: when the request has to be sent a second time the text begins anew,
    /// and of a reply that fails in the end pieces may have been shown. What counts is the reply's `text`.
    /// At most two requests are sent. See [`ChatError`] for what can go wrong.
    pub async fn chat(
        &self,
        request: &ChatRequest,
        on_text: &mut (dyn FnMut(&str) + Send),
    ) -> Result<ChatReply, ChatError> {
        let meter = Meter::default();
        let asked = self.chat_metered(request, &meter, on_text).await;
        asked.map_err(|unanswered| unanswered.error)
    }

    /// The same. What the requests use is counted on the meter as they go, so that it is there too for whoever gives up
    /// waiting, and an error tells what they have used.
    pub async fn chat_metered(
        &self,
        request: &ChatRequest,
        meter: &Meter,
        on_text: &mut (dyn FnMut(&str) + Send),
    ) -> Result<ChatReply, Unanswered> {
        let prompt = tokens_about(request.system.len() + request.user.len());
        let mut tab = Tab::new(meter, self.price(), prompt);
        let asked = self.converse(request, &mut tab, on_text).await;
        asked.map_err(|error| Unanswered { error, usage: tab.total() })
    }

    async fn converse(
        &self,
        request: &ChatRequest,
        tab: &mut Tab<'_>,
        on_text: &mut (dyn FnMut(&str) + Send),
    ) -> Result<ChatReply, ChatError> {
        let attempt = self.transport.attempt("asking for a reply", &self.name);
        let context = self.context(request, &attempt)?;
        let mut call = self.transport.call(&attempt);
        loop {
            let habits = *self.habits();
            let outgoing = wire::outgoing(&self.name, self.endpoint(), request, habits, context);
            let permit = call.permit()?;
            let outcome = self.once(&attempt, &call, &outgoing, tab, on_text).await;
            permit.settle(&outcome);
            tab.close();
            let failure = match outcome {
                Ok(gathered) => {
                    self.check_model(&attempt, &gathered)?;
                    let sent = outgoing.schema_sent;
                    return Ok(self.reply(gathered, tab, sent, call.tries()));
                }
                Err(failure) => failure,
            };
            if let Some(learned) = status::lesson(&failure, outgoing.schema_sent, habits) {
                *self.habits() = learned;
                if call.has_try_left() {
                    continue;
                }
                return Err(failure);
            }
            call.again(failure).await?;
        }
    }

    /// Asks without showing progress.
    pub async fn chat_quiet(&self, request: &ChatRequest) -> Result<ChatReply, ChatError> {
        self.chat(request, &mut |_| ()).await
    }

    fn habits(&self) -> std::sync::MutexGuard<'_, Habits> {
        // Four flags, whole at any time.
        self.habits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The context that Ollama has to make room for; 0 where it is not sent.
    fn context(&self, request: &ChatRequest, attempt: &Arc<Attempt>) -> Result<u64, ChatError> {
        if self.name.provider != Provider::Ollama {
            return Ok(0);
        }
        let schema = request.schema.as_ref().map_or(0, |schema| schema.json.to_string().len());
        let bytes = request.system.len() + request.user.len() + schema;
        let most = self.transport.settings.most_context;
        let output = u64::from(request.max_output_tokens);
        let about = tokens_about(bytes) + output;
        if about > most {
            return Err(ChatError::TooLong {
                attempt: Arc::clone(attempt),
                said: format!(
                    "about {about} tokens are needed and {most} are the most that this client asks Ollama to make room \
                     for (nothing was sent)"
                ),
            });
        }
        // The chat template adds a few tokens.
        Ok(wire::ollama::context(tokens_at_most(bytes) + output + 64, most))
    }

    /// One request and its stream.
    async fn once(
        &self,
        attempt: &Arc<Attempt>,
        call: &Call<'_>,
        outgoing: &wire::Outgoing,
        tab: &mut Tab<'_>,
        on_text: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Gathered, ChatError> {
        let limit = call.first_byte();
        let transport = &self.transport;
        tab.sent();
        let sent = transport.send(attempt, outgoing.path, Some(&outgoing.body), &limit).await;
        let response = sent.inspect_err(|error| {
            if !error.may_have_cost() {
                tab.turned_down();
            }
        })?;
        let status = response.status().as_u16();
        let reading = Reading::new(self.name.provider, transport.settings.most_bytes);
        let mut incoming = Incoming { response, limit, reading };
        let ended = self.read(attempt, call, &mut incoming, tab, on_text).await;
        let reading = incoming.reading;
        let (received, told) = (reading.received(), reading.told());
        let finished = match ended {
            Ok(()) => reading.finish(&mut |text| on_text(text)).map_err(End::Fault),
            Err(end) => Err(end),
        };
        match finished {
            Ok(gathered) => {
                let came = gathered.text.len() + gathered.thinking.len();
                let input = gathered.input_tokens.unwrap_or_else(|| tab.prompt());
                tab.set(input, gathered.output_tokens.unwrap_or_else(|| tokens_about(came)));
                Ok(gathered)
            }
            Err(End::Error(error)) => Err(error),
            Err(End::Fault(fault)) => {
                let nothing_came = received == 0 && told == (None, None);
                match fault {
                    // No model answered.
                    Fault::Page { .. } => tab.turned_down(),
                    // An error in the place of a reply is a refusal like that of a status.
                    Fault::Said { .. } if nothing_came => tab.turned_down(),
                    _ => {}
                }
                Err(self.fault(attempt, status, received, fault))
            }
        }
    }

    /// Feeds the stream to the reader until it ends in one way or another.
    async fn read(
        &self,
        attempt: &Arc<Attempt>,
        call: &Call<'_>,
        incoming: &mut Incoming,
        tab: &mut Tab<'_>,
        on_text: &mut (dyn FnMut(&str) + Send),
    ) -> Result<(), End> {
        let Incoming { response, limit, reading } = incoming;
        loop {
            match limit.within(response.chunk()).await {
                Some(Ok(Some(bytes))) => {
                    let fed = reading.feed(&bytes, &mut |text| on_text(text));
                    tab.coming(reading);
                    match fed.map_err(End::Fault)? {
                        Step::Done => return Ok(()),
                        // Comments and pings do not hold a stalled reply alive.
                        Step::Alive => {}
                        Step::Progress => *limit = call.stall(),
                    }
                }
                Some(Ok(None)) => return Ok(()),
                // The reply is whole; only its usage may be missing.
                Some(Err(_)) | None if reading.is_whole() => return Ok(()),
                Some(Err(_)) if !reading.has_begun() => {
                    return Err(End::Error(ChatError::Cut {
                        attempt: Arc::clone(attempt),
                        received: 0,
                    }));
                }
                // `finish` tells how far the stream had come.
                Some(Err(_)) => return Ok(()),
                None => return Err(End::Error(limit.passed(attempt, reading.received()))),
            }
        }
    }

    fn fault(
        &self,
        attempt: &Arc<Attempt>,
        status: u16,
        received: usize,
        fault: Fault,
    ) -> ChatError {
        let attempt = Arc::clone(attempt);
        let quote = |text: &str| said::quote(text, self.endpoint());
        match fault {
            Fault::Cut => ChatError::Cut { attempt, received },
            Fault::Empty => ChatError::Empty { attempt },
            Fault::Foreign { cause, start } => {
                ChatError::Foreign { attempt, cause: cause.to_owned(), start: quote(&start) }
            }
            Fault::Page { start } => ChatError::Page { attempt, status, start: quote(&start) },
            Fault::TooLarge => {
                ChatError::TooLarge { attempt, most_bytes: self.transport.settings.most_bytes }
            }
            Fault::Said { status: Some(429), said } => {
                ChatError::RateLimited { attempt, wait: None, said: quote(&said) }
            }
            Fault::Said { status: Some(status @ (500 | 502 | 503 | 504 | 529)), said } => {
                ChatError::Server { attempt, status, wait: None, said: quote(&said) }
            }
            Fault::Said { said, .. } => ChatError::InStream { attempt, said: quote(&said) },
        }
    }

    /// Another model than the one asked for is an error where the names can be compared: with Ollama, and roughly at
    /// the providers' own hosts, which answer with a dated name. Gateways name models as they like.
    fn check_model(&self, attempt: &Arc<Attempt>, gathered: &Gathered) -> Result<(), ChatError> {
        let Some(answered) = &gathered.model else { return Ok(()) };
        let asked = &self.name.model;
        let same = match self.name.provider {
            Provider::Ollama => same_tag(asked, answered),
            _ => !self.endpoint().is_official() || same_family(asked, answered),
        };
        if same {
            return Ok(());
        }
        let answered = said::quote(answered, self.endpoint());
        Err(ChatError::WrongModel { attempt: Arc::clone(attempt), answered })
    }

    fn reply(&self, gathered: Gathered, tab: &Tab<'_>, schema_sent: bool, tries: u32) -> ChatReply {
        let usage = tab.total();
        let stop = match gathered.stop {
            _ if gathered.refused => Stop::Refused,
            Some(stop) => stop,
            None => Stop::Complete,
        };
        let thinking = Some(gathered.thinking.trim()).filter(|text| !text.is_empty());
        ChatReply {
            thinking: thinking.map(str::to_owned),
            text: gathered.text,
            usage,
            usage_estimated: gathered.input_tokens.is_none()
                || gathered.output_tokens.is_none()
                || tab.paid_for_more_than_one(),
            cost_micro_usd: self.price().map(|_| usage.cost_micro_usd),
            stop,
            model: gathered.model.unwrap_or_else(|| self.name.model.clone()),
            schema_sent,
            tries,
        }
    }
}

/// An answer that is coming in.
struct Incoming {
    response: Response,
    /// When the next piece has to be there.
    limit: Limit,
    reading: Reading,
}

/// How reading a stream can fail.
enum End {
    Error(ChatError),
    Fault(Fault),
}

/// Ollama takes a name without a tag for the tag `latest`.
pub(super) fn same_tag(asked: &str, answered: &str) -> bool {
    let bare = |name: &str| name.strip_suffix(":latest").unwrap_or(name).to_lowercase();
    bare(asked) == bare(answered)
}

/// The first two parts are the same, such as `gpt-4` or `claude-sonnet`; dates and aliases follow them.
fn same_family(asked: &str, answered: &str) -> bool {
    let family = |name: &str| name.split('-').take(2).collect::<Vec<_>>().join("-").to_lowercase();
    asked.starts_with(answered) || answered.starts_with(asked) || family(asked) == family(answered)
}
