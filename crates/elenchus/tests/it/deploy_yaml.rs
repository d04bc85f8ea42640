//! The examples of a deployment as a YAML parser reads them: whatever refers to something refers to what is there.

use saphyr_parser::{Event, Parser};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Text(String),
    List(Vec<Node>),
    Map(BTreeMap<String, Node>),
}

impl Node {
    /// What stands at a path of keys with points between; nothing where there is no such place.
    fn at(&self, path: &str) -> Option<&Self> {
        path.split('.').try_fold(self, |node, key| match node {
            Self::Map(members) => members.get(key),
            _ => None,
        })
    }

    fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            _ => panic!("{self:?} is no text"),
        }
    }

    fn said(&self, path: &str) -> &str {
        self.at(path).unwrap_or_else(|| panic!("no {path} in {self:?}")).text()
    }

    /// The items of a list, or the keys of a map; none where there is no such place.
    fn names(&self, path: &str) -> BTreeSet<String> {
        match self.at(path) {
            None => BTreeSet::new(),
            Some(Self::Map(members)) => members.keys().cloned().collect(),
            Some(Self::List(items)) => items.iter().map(|item| item.text().to_owned()).collect(),
            Some(Self::Text(text)) => panic!("{path} is {text:?}"),
        }
    }

    fn list(&self, path: &str) -> &[Self] {
        match self.at(path) {
            Some(Self::List(items)) => items,
            _ => &[],
        }
    }
}

struct Reader<'a> {
    events: std::vec::IntoIter<Event<'a>>,
    anchors: BTreeMap<usize, Node>,
}

impl Reader<'_> {
    /// The next node; nothing where what it would stand in ends.
    fn node(&mut self) -> Option<Node> {
        let (anchor, node) = match self.events.next()? {
            Event::Scalar(text, _, anchor, _) => (anchor, Node::Text(text.into_owned())),
            Event::Alias(id) => (0, self.anchors.get(&id).expect("it stands before").clone()),
            Event::SequenceStart(anchor, _) => {
                let mut items = Vec::new();
                while let Some(item) = self.node() {
                    items.push(item);
                }
                (anchor, Node::List(items))
            }
            Event::MappingStart(anchor, _) => (anchor, Node::Map(self.members())),
            _ => return None,
        };
        // An anchor is a number from 1.
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Some(node)
    }

    fn members(&mut self) -> BTreeMap<String, Node> {
        let mut members = BTreeMap::new();
        while let Some(key) = self.node() {
            let value = self.node().expect("each key has a value");
            let before = members.insert(key.text().to_owned(), value);
            assert_eq!(before, None, "{key:?} stands there twice");
        }
        // What is merged in gives way to what is said.
        if let Some(Node::Map(shared)) = members.remove("<<") {
            for (key, value) in shared {
                members.entry(key).or_insert(value);
            }
        }
        members
    }
}

fn documents(name: &str) -> Vec<Node> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/deploy");
    let text = std::fs::read_to_string(folder.join(name)).expect("it ships with the repository");
    let events = Parser::new_from_str(&text);
    let events: Vec<Event<'_>> =
        events.map(|event| event.unwrap_or_else(|error| panic!("{name}: {error}")).0).collect();
    let mut reader = Reader { events: events.into_iter(), anchors: BTreeMap::new() };
    let mut documents = Vec::new();
    while let Some(event) = reader.events.next() {
        if matches!(event, Event::DocumentStart(_)) {
            documents.push(reader.node().expect("a document says something"));
        }
    }
    documents
}

#[test]
fn services_name_networks_secrets_and_services_that_there_are() {
    let all = documents("compose.yaml");
    let [file] = all.as_slice() else { panic!("it is one document") };
    let services = file.names("services");
    assert_eq!(services.len(), 6);
    for name in &services {
        let service = file.at(&format!("services.{name}")).expect("it is one of them");
        for kind in ["networks", "secrets"] {
            let named = service.names(kind);
            assert!(named.is_subset(&file.names(kind)), "{name}: {kind} {named:?}");
        }
        for volume in service.names("volumes") {
            let (from, _) = volume.split_once(':').expect("from where to where");
            assert!(
                from.starts_with("./") || file.names("volumes").contains(from),
                "{name}: {volume}"
            );
        }
        assert!(service.names("depends_on").is_subset(&services), "{name}");
        assert!(service.names("security_opt").contains("no-new-privileges:true"), "{name}");
        assert!(!service.said("image").is_empty() && service.at("networks").is_some(), "{name}");
    }
    // What is merged into a service is in it.
    assert_eq!(file.said("services.worker.user"), "10001:10001");
    assert_eq!(file.said("services.worker.mem_limit"), "2g");
    assert_eq!(file.said("services.serve.environment.XDG_DATA_HOME"), "/state");
}

#[test]
fn pods_services_and_policies_of_the_cluster_fit_together() {
    let all: Vec<Node> = ["kubernetes.yaml", "kubernetes-qdrant.yaml", "kubernetes-restate.yaml"]
        .into_iter()
        .flat_map(documents)
        .collect();
    let of_kind = |kind: &str| -> Vec<&Node> {
        all.iter().filter(|document| document.said("kind") == kind).collect()
    };
    for document in &all {
        assert!(
            !document.said("apiVersion").is_empty() && !document.said("metadata.name").is_empty()
        );
        if document.said("kind") != "Namespace" {
            assert_eq!(document.said("metadata.namespace"), "elenchus", "{document:?}");
        }
    }
    let settings: BTreeSet<&str> =
        of_kind("ConfigMap").into_iter().map(|map| map.said("metadata.name")).collect();
    // The ports of each pod, by the label that it is found by.
    let mut pods: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for workload in [of_kind("Deployment"), of_kind("StatefulSet")].concat() {
        let name = workload.said("metadata.name");
        let labels = workload.at("spec.template.metadata.labels");
        assert_eq!(workload.at("spec.selector.matchLabels"), labels, "{name}");
        let app = workload.said("spec.template.metadata.labels.app");
        let claimed = workload.list("spec.volumeClaimTemplates").iter();
        let volumes: BTreeSet<&str> = claimed
            .map(|claim| claim.said("metadata.name"))
            .chain(workload.list("spec.template.spec.volumes").iter().map(|one| one.said("name")))
            .collect();
        let mut mounted = BTreeSet::new();
        let mut ports = BTreeSet::new();
        for container in workload.list("spec.template.spec.containers") {
            mounted.extend(container.list("volumeMounts").iter().map(|one| one.said("name")));
            ports.extend(
                container.list("ports").iter().map(|one| one.said("containerPort").to_owned()),
            );
            for from in container.list("envFrom") {
                assert!(settings.contains(from.said("configMapRef.name")), "{name}: {from:?}");
            }
        }
        assert_eq!(mounted, volumes, "{name}: what is mounted is there, and the other way round");
        assert_eq!(pods.insert(app.to_owned(), ports), None, "{app} is one");
    }
    for service in of_kind("Service") {
        let app = service.said("spec.selector.app");
        for port in service.list("spec.ports") {
            let at = port.at("targetPort").or_else(|| port.at("port")).expect("a port").text();
            assert!(pods[app].contains(at), "{app}: {at}");
        }
    }
    let policies = of_kind("NetworkPolicy");
    for policy in &policies {
        let of = policy.at("spec.podSelector").expect("whom it is for");
        let named = match of.at("matchLabels.app") {
            Some(app) => BTreeSet::from([app.text().to_owned()]),
            None => {
                of.list("matchExpressions").iter().flat_map(|one| one.names("values")).collect()
            }
        };
        assert!(!named.is_empty() && named.iter().all(|app| pods.contains_key(app)), "{named:?}");
    }
    let bound = |app: &str| {
        policies.iter().any(|policy| {
            policy.at("spec.podSelector.matchLabels.app").is_some_and(|one| one.text() == app)
                && policy.names("spec.policyTypes").len() == 2
        })
    };
    assert!(pods.keys().all(|app| bound(app)), "each pod has a policy for both ways");
}

/// The version behind the name of an image.
fn version(image: &str) -> &str {
    let (_, tag) = image.rsplit_once(':').expect("it is pinned");
    tag.trim_start_matches('v').split('-').next().unwrap_or_default()
}

#[test]
fn images_are_of_the_versions_that_were_tested() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it is there");
    let compose = documents("compose.yaml");
    let image = |service: &str| compose[0].said(&format!("services.{service}.image")).to_owned();
    let of_pod = |name: &str, pod: &str| {
        let all = documents(name);
        let found = all
            .iter()
            .find(|one| one.said("kind") == "StatefulSet" && one.said("metadata.name") == pod);
        let containers = found.expect("it is there").list("spec.template.spec.containers");
        containers[0].said("image").to_owned()
    };
    let (qdrant, restate) = (image("qdrant"), image("restate"));
    assert_eq!(of_pod("kubernetes-qdrant.yaml", "qdrant"), qdrant);
    assert_eq!(of_pod("kubernetes-restate.yaml", "restate"), restate);
    let tested = format!("Qdrant {} was built here", version(&qdrant));
    assert!(read("docs/qdrant.md").contains(&tested), "{qdrant}");
    let tested = format!("@restatedev/restate-server@{}\"", version(&restate));
    assert!(read("xtask/src/restate.rs").contains(&tested), "{restate}");
}
