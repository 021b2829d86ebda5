/**
 * A certificate that nobody should believe: signed by itself, for a name that cannot exist. Its key protects nothing, and stands
 * here so that nothing has to be made at every start.
 */
export const wrongCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBkjCCATegAwIBAgIUHwm5lUTFGvmKIGre5I9j62gy6eIwCgYIKoZIzj0EAwIw
HTEbMBkGA1UEAwwSdG91Y2hzdG9uZS5pbnZhbGlkMCAXDTI2MTEyMzEwMjYyM1oY
DzIxMjYxMDMwMTAyNjIzWjAdMRswGQYDVQQDDBJ0b3VjaHN0b25lLmludmFsaWQw
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAT39hcx9aibFIfVaGB3LRnnFaOZV+Qf
7jE2H4bgpnmyBIZ/RibpkYBrGppWvqZTMEp8mR5Ch4uySTDIk15eGsQ1o1MwUTAd
BgNVHQ4EFgQUaUeJ1oslJLbTt75aJxiloOFwTj4wHwYDVR0jBBgwFoAUaUeJ1osl
JLbTt75aJxiloOFwTj4wDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBG
AiEAnAmcJMuvmYIL+RY9IWg7FUR0f/XqprZ3rBO92lSEhRACIQDs1CEe8uL0ZgOU
Jk1Rdf5SbZ/Odc+wYh3HCB3nJQo0Vg==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggPASlMANG1eFVlJK
6nv4IRRtULSw+6X++CNMuRNvC96hRANCAAT39hcx9aibFIfVaGB3LRnnFaOZV+Qf
7jE2H4bgpnmyBIZ/RibpkYBrGppWvqZTMEp8mR5Ch4uySTDIk15eGsQ1
-----END PRIVATE KEY-----
`,
};
