use super::*;
use proptest::prelude::*;

#[test]
fn ranges_by_their_edges() {
    let public = [
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.0",
        "192.0.3.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "2000::1",
        "2001:200::1",
        "2003::1",
        "2606:4700:4700::1111",
        "2a00:1450:4009::200e",
        "2c0f::1",
    ];
    for text in public {
        assert_eq!(why_not_public(text.parse().unwrap()), None, "{text}");
        assert!(!never(text.parse().unwrap()), "{text}");
    }
    let hidden = [
        "0.0.0.0",
        "0.255.255.255",
        "10.0.0.0",
        "10.255.255.255",
        "100.64.0.0",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.255",
        "169.254.0.0",
        "169.254.255.255",
        "172.16.0.0",
        "172.31.255.255",
        "192.0.0.0",
        "192.0.2.255",
        "192.88.99.1",
        "192.168.0.0",
        "192.168.255.255",
        "198.18.0.0",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.0",
        "239.255.255.255",
        "240.0.0.0",
        "255.255.255.255",
        "168.63.129.16",
        "::",
        "::1",
        "::2",
        "::127.0.0.1",
        "::ffff:8.8.8.8",
        "::ffff:0:127.0.0.1",
        "64:ff9b::8.8.8.8",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:2::1",
        "2001:10::1",
        "2001:1ff::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "3ffe::1",
        "3fff::1",
        "4000::1",
        "5f00::1",
        "fc00::1",
        "fdff::1",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "feff::1",
        "ff02::1",
        "2606:4700::5efe:7f00:1",
        "1fff::1",
    ];
    for text in hidden {
        assert!(why_not_public(text.parse().unwrap()).is_some(), "{text}");
    }
}

#[test]
fn some_addresses_are_refused_even_when_allowed() {
    for text in [
        "169.254.169.254",
        "169.254.170.2",
        "100.100.100.200",
        "192.0.0.192",
        "168.63.129.16",
        "fd00:ec2::254",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "2002:a9fe:a9fe::",
        "0.0.0.0",
        "255.255.255.255",
        "ff02::1",
    ] {
        assert!(never(text.parse().unwrap()), "{text}");
    }
    for text in ["127.0.0.1", "10.1.2.3", "192.168.1.1", "::1", "fd12::1"] {
        assert!(!never(text.parse().unwrap()), "{text}");
    }
}

#[test]
fn names() {
    for name in [
        "localhost",
        "LOCALHOST.",
        "a.localhost",
        "router.local",
        "x.internal.",
        "metadata",
        "wpad",
        "",
        ".",
        "db.svc",
        "a.svc.cluster.local",
        "printer.LAN",
        "host.docker.internal",
        "metadata.google.internal",
        "localhost.localdomain",
        "box.home.arpa",
        "abc.onion",
    ] {
        assert!(why_name_not_public(name).is_some(), "{name}");
    }
    for name in
        ["example.org", "example.org.", "notlocalhost.com", "my-local.net", "internal.example.org"]
    {
        assert_eq!(why_name_not_public(name), None, "{name}");
    }
}

proptest! {
    #[test]
    fn an_address_that_carries_an_address_is_never_public(bits: u32) {
        let [a, b, c, d] = bits.to_be_bytes();
        let (high, low) = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
        let forms = [
            Ipv6Addr::new(0, 0, 0, 0, 0, 0, high, low),
            Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, high, low),
            Ipv6Addr::new(0, 0, 0, 0, 0xffff, 0, high, low),
            Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
            Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, high, low),
            Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1),
            Ipv6Addr::new(0x2001, 0, 1, 2, 3, 4, !high, !low),
        ];
        for form in forms {
            prop_assert!(why_not_public(form.into()).is_some(), "{form}");
            prop_assert!(!is_metadata(Ipv4Addr::from(bits)) || never(form.into()), "{form}");
        }
    }

    #[test]
    fn what_the_standard_library_calls_private_is_not_public(bits: u32) {
        let address = Ipv4Addr::from(bits);
        let private = address.is_private() || address.is_loopback() || address.is_link_local()
            || address.is_multicast() || address.is_broadcast() || address.is_documentation() || address.is_unspecified();
        prop_assert!(!private || v4(address).is_some());
    }

    #[test]
    fn no_name_panics(name in "\\PC*") {
        let _ = why_name_not_public(&name);
    }
}
