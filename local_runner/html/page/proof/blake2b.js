// BLAKE2b with a digest of seven bytes, as the keys of gobang_proof.bin; for messages of at most 128 bytes (RFC 7693).
//
// A word of 64 bits is two numbers of 32 bits, the low one first. Word i of an array stands at 2 * i.

const ROUNDS = 12, PARAMETERS = 0x01010007; // no key, a digest of seven bytes
const IV = new Uint32Array([0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a,
  0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19]);
const SIGMA = ["0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8", "905724afe1bc683d",
  "2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a", "6fe9b308c2d714a5", "a2847615fb9e3cd0"]
  .map((row) => [...row].map((digit) => parseInt(digit, 16)));
const MIXED = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13],
  [3, 4, 9, 14]];
const v = new Uint32Array(32), words = new Uint32Array(32);

/** The digest as one number. `message`: an array of at most 128 bytes. */
export function hash(message) {
  words.fill(0);
  message.forEach((byte, at) => { words[at >> 2] |= byte << 8 * (at & 3); });
  v.set(IV);
  v.set(IV, 16);
  v[0] ^= PARAMETERS;
  v[24] ^= message.length;
  v[28] = ~v[28]; // this is the last block
  v[29] = ~v[29];
  for (let round = 0; round < ROUNDS; round++) {
    const order = SIGMA[round % SIGMA.length];
    MIXED.forEach(([a, b, c, d], at) => {
      mix(2 * a, 2 * b, 2 * c, 2 * d, 2 * order[2 * at], 32, 24);
      mix(2 * a, 2 * b, 2 * c, 2 * d, 2 * order[2 * at + 1], 16, 63);
    });
  }
  return digest(IV[0] ^ PARAMETERS ^ v[0] ^ v[16], IV[1] ^ v[1] ^ v[17]);
}

/** The low 53 of the digest's 56 bits as one number. `low`, `high`: its first four bytes, and the rest. */
export const digest = (low, high) => (low >>> 0) + (high & 0x1fffff) * 2 ** 32;

function mix(a, b, c, d, word, first, second) {
  add(a, b);
  const low = v[a] + words[word];
  v[a + 1] += words[word + 1] + (low > 0xffffffff ? 1 : 0);
  v[a] = low;
  turn(d, a, first);
  add(c, d);
  turn(b, c, second);
}

function add(a, b) {
  const low = v[a] + v[b];
  v[a + 1] += v[b + 1] + (low > 0xffffffff ? 1 : 0);
  v[a] = low;
}

/** Word `a` xor word `b`, turned to the right by this number of bits. */
function turn(a, b, bits) {
  let low = v[a] ^ v[b], high = v[a + 1] ^ v[b + 1];
  if (bits >= 32) [low, high, bits] = [high, low, bits - 32];
  v[a] = bits ? low >>> bits | high << 32 - bits : low;
  v[a + 1] = bits ? high >>> bits | low << 32 - bits : high;
}
