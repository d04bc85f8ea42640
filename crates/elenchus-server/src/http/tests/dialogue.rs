//! What a run asks back before it plans, and how it is answered: over the API, and by the form of its page.

use super::feedback::sent;
use super::{Served, asked_back};
use serde_json::{Value, json};

/// Vague to code, so that the model is asked.
const VAGUE: &str = "What do the notes say about the tide?";

/// What a run was told by whoever asked.
async fn clarified(served: &Served, run: &str) -> Value {
    served.until(run, &["finished"]).await;
    let answer = served.get(&format!("/v1/research/{run}/answer")).await.json();
    assert_eq!(answer["question"], VAGUE, "the question stays as it was asked");
    answer["clarified"].clone()
}

#[tokio::test]
async fn a_question_that_was_asked_back_is_answered_over_the_api() {
    let served = Served::new().await;
    let ask = json!({"question": VAGUE, "clarify": "auto"});
    let run = served.start(&ask).await;
    served.until(&run, &["waiting"]).await;
    let view = served.get(&format!("/v1/research/{run}")).await.json();
    let asked = asked_back();
    assert_eq!(view["asked_back"], json!(asked.questions), "{view}");
    let at = format!("/v1/research/{run}/clarify");
    let wrong = served.post(&at, &json!({"answers": [{"question": "one"}]})).await;
    assert_eq!((wrong.status, wrong.json()["code"].as_str()), (400, Some("malformed")));
    let given = json!({"answers": [{"question": 2, "text": "the keeper's "}, {"question": 1, "choice": 2}]});
    let told = served.post(&at, &given).await;
    assert_eq!(told.status, 200, "{told:?}");
    let said = [
        json!({"question": asked.questions[0].text, "answer": asked.questions[0].choices[1]}),
        json!({"question": asked.questions[1].text, "answer": "the keeper's"}),
    ];
    assert_eq!(clarified(&served, &run).await, json!(said));

    // Without an answer it goes on as it was asked.
    let skips = served.start(&ask).await;
    served.until(&skips, &["waiting"]).await;
    let told = served.post(&format!("/v1/research/{skips}/clarify"), &json!({"answers": []})).await;
    assert_eq!(told.status, 200, "{told:?}");
    assert!(clarified(&served, &skips).await.as_array().is_none_or(Vec::is_empty));

    // A run that asked nothing has nothing to be answered.
    let silent = served.start(&json!({"question": VAGUE, "review_plan": true})).await;
    served.until(&silent, &["paused"]).await;
    let refused = served.post(&format!("/v1/research/{silent}/clarify"), &given).await;
    assert_eq!((refused.status, refused.json()["code"].as_str()), (409, Some("nothing_asked")));
}

#[tokio::test]
async fn the_page_of_a_run_has_a_form_for_what_it_asks_back() {
    let served = Served::new().await;
    let begun = async || {
        let form = "question=What+do+the+notes+say+about+the+tide%3F&effort=quick&clarify=yes";
        let started = sent(&served, "/research", form).await;
        assert_eq!(started.status, 303, "{started:?}");
        let page = started.header("location").unwrap().to_owned();
        let run = page.trim_start_matches("/research/").to_owned();
        served.until(&run, &["waiting"]).await;
        (page, run)
    };
    let (page, run) = begun().await;
    let shown = served.get(&page).await.body;
    for part in [
        &*format!("action=\"{page}/clarify\""),
        "<legend>1. Which tide?</legend>",
        "type=\"radio\" name=\"choice1\" value=\"2\"",
        "name=\"text2\"",
        "name=\"do\" value=\"skip\"",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let at = format!("{page}/clarify");
    let back = sent(&served, &at, "choice1=1&text1=&text2=all+of+them&do=answer").await;
    assert_eq!((back.status, back.header("location")), (303, Some(&*page)));
    let asked = asked_back();
    let said = [
        json!({"question": asked.questions[0].text, "answer": asked.questions[0].choices[0]}),
        json!({"question": asked.questions[1].text, "answer": "all of them"}),
    ];
    assert_eq!(clarified(&served, &run).await, json!(said));
    assert!(!served.get(&page).await.body.contains("/clarify"), "it asks no more");

    // Whoever skips is not taken at what stands in the fields.
    let (page, run) = begun().await;
    let back = sent(&served, &format!("{page}/clarify"), "choice1=1&do=skip").await;
    assert_eq!(back.status, 303, "{back:?}");
    assert!(clarified(&served, &run).await.as_array().is_none_or(Vec::is_empty));
}
