/** How the verification of the guide is run: the arguments are the secret, the body and the headers' values. */
export interface Language {
  version: string[];
  file: string;
  program: (code: string) => string;
  run: (file: string) => string[];
}

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const quoted = NAMES.map((name) => `"${name}"`).join(', ');

export const LANGUAGES: Record<string, Language> = {
  python: {
    version: ['python3', '--version'],
    file: 'verify.py',
    program: (code) => `${code}
import sys
headers = dict(zip([${quoted}], sys.argv[3:]))
print(verify_webhook(sys.argv[2].encode(), headers, sys.argv[1]))
`,
    run: (file) => ['python3', file],
  },
  go: {
    version: ['go', 'version'],
    file: 'verify.go',
    program: (code) => `package main

import ("crypto/hmac"; "crypto/sha256"; "encoding/base64"; "fmt"; "net/http"; "os"; "slices"; "strconv"; "strings"; "time")

${code}
func main() {
	headers := http.Header{}
	for i, name := range []string{${quoted}} { headers.Set(name, os.Args[3+i]) }
	fmt.Println(verifyWebhook([]byte(os.Args[2]), headers, os.Args[1]))
}
`,
    run: (file) => ['go', 'run', file],
  },
  php: {
    version: ['php', '--version'],
    file: 'verify.php',
    program: (code) => `<?php
${code}
$headers = array_combine([${quoted}], array_slice($argv, 3));
echo verify_webhook($argv[2], $headers, $argv[1]) ? 'true' : 'false';
`,
    run: (file) => ['php', file],
  },
  ruby: {
    version: ['ruby', '--version'],
    file: 'verify.rb',
    program: (code) => `${code}
puts verify_webhook(ARGV[1], [${quoted}].zip(ARGV[2..]).to_h, ARGV[0])
`,
    run: (file) => ['ruby', file],
  },
  java: {
    version: ['java', '--version'],
    file: 'Verify.java',
    program: (code) => `
import static java.nio.charset.StandardCharsets.UTF_8;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Verify {
${code}
    public static void main(String[] args) throws Exception {
        Map<String, String> headers = new HashMap<>();
        String[] names = {${quoted}};
        for (int i = 0; i < names.length; i++) headers.put(names[i], args[i + 2]);
        System.out.println(verifyWebhook(args[1].getBytes(UTF_8), headers, args[0]));
    }
}
`,
    run: (file) => ['java', file],
  },
};
