//! What models cost, as far as the settings tell it: `prices` for each by its name, `price.*` for the model itself.

use crate::config::Config;
use crate::error::{CliError, Result};
use elenchus_io::model::language::{Endpoint, ModelName, Price};

/// The price that the settings have calls to a model counted with; `None` leaves it to the built-in list.
///
/// Its own goes first. `price.*` is that of the model that thinks. Another one is counted with it only where neither
/// `prices` nor the list has its own: a budget of money that took the call for free would never end.
pub(crate) fn of(name: &ModelName, endpoint: &Endpoint, config: &Config) -> Result<Option<Price>> {
    if let Some(own) = own(name, config)? {
        return Ok(Some(own));
    }
    let is_first = config
        .text("model")
        .and_then(|model| model.parse::<ModelName>().ok())
        .is_some_and(|model| model == *name);
    let is_listed = Price::known(name, endpoint).is_some();
    Ok(general(config).filter(|_| is_first || !is_listed))
}

/// The price that calls to `provider:model` are counted with; `None` where nobody tells it, or the model cannot be asked.
pub(crate) fn in_force(name: &str, config: &Config) -> Option<Price> {
    let (name, endpoint, settings) = crate::mind::endpoint(name, config).ok()?;
    settings.price.or_else(|| Price::known(&name, &endpoint))
}

/// The price of the model that thinks.
fn general(config: &Config) -> Option<Price> {
    match (config.amount("price.input"), config.amount("price.output")) {
        (None, None) => None,
        (input, output) => {
            Some(Price { input: input.unwrap_or_default(), output: output.unwrap_or_default() })
        }
    }
}

/// What stands in `prices` under the name of the model.
fn own(name: &ModelName, config: &Config) -> Result<Option<Price>> {
    let mut found = None;
    for entry in config.list("prices") {
        let (model, price) = read(entry).ok_or_else(|| {
            CliError::usage(
                format!("could not use the price {entry:?}"),
                "it is not a model with two amounts",
                "write it as `PROVIDER:NAME=IN/OUT`, in US dollars for a million tokens sent and received, such as \
                 `openai:NAME=0.5/2`",
            )
        })?;
        if model == *name {
            found = Some(price);
        }
    }
    Ok(found)
}

/// `PROVIDER:NAME=IN/OUT`. A name may hold any of these signs, an amount none.
fn read(entry: &str) -> Option<(ModelName, Price)> {
    let (name, amounts) = entry.rsplit_once('=')?;
    let (input, output) = amounts.split_once('/')?;
    let amount = |text: &str| {
        text.trim().parse::<f64>().ok().filter(|amount| amount.is_finite() && *amount >= 0.0)
    };
    let price = Price { input: amount(input)?, output: amount(output)? };
    Some((name.trim().parse().ok()?, price))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Value;
    use elenchus_io::model::language::Provider;

    fn set(prices: &[&str], general: Option<f64>) -> Config {
        let mut config = Config::default();
        config.flag("model", "the test", Some(Value::Text("openai:big".to_owned())));
        let prices = prices.iter().map(|price| (*price).to_owned()).collect();
        config.flag("prices", "the test", Some(Value::List(prices)));
        config.flag("price.input", "the test", general.map(Value::Amount));
        config
    }

    fn price(name: &str, address: Option<&str>, config: &Config) -> Option<(f64, f64)> {
        let name: ModelName = name.parse().unwrap();
        let endpoint = Endpoint::new(name.provider, address, Some("a-key")).unwrap();
        of(&name, &endpoint, config).unwrap().map(|price| (price.input, price.output))
    }

    #[test]
    fn each_model_has_its_own_price() {
        let there = Some("https://models.example/v1");
        let config = set(&["openai:small=0.5/2", "openai:a/b=c=1/3"], Some(9.0));
        assert_eq!(price("openai:big", there, &config), Some((9.0, 0.0)));
        assert_eq!(price("openai:small", there, &config), Some((0.5, 2.0)));
        assert_eq!(price("openai:a/b=c", there, &config), Some((1.0, 3.0)));
        // Nobody tells: as the model that thinks, so that a budget of money ends all the same.
        assert_eq!(price("openai:other", there, &config), Some((9.0, 0.0)));
        // The list tells, and what runs here costs nothing.
        assert_eq!(price("openai:gpt-4o", None, &config), None);
        assert_eq!(price("ollama:small", None, &config), None);
        assert_eq!(price("openai:other", there, &set(&[], None)), None);
    }

    #[test]
    fn a_price_that_is_none_is_told() {
        let name = ModelName { provider: Provider::OpenAi, model: "small".to_owned() };
        let endpoint = Endpoint::new(Provider::OpenAi, None, Some("a-key")).unwrap();
        for wrong in
            ["openai:small", "openai:small=2", "small=1/2", "openai:small=1/x", "openai:small=-1/2"]
        {
            let error = of(&name, &endpoint, &set(&[wrong], None)).unwrap_err();
            assert!(error.message().contains(wrong) && error.hint.contains("IN/OUT"), "{wrong}");
        }
    }
}
