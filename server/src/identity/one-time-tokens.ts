// Links and codes mailed to people. Each is valid once, and a later one of the same kind replaces it.
import { createHash, randomBytes, randomInt } from 'node:crypto'
import type { Queryable, Transaction } from '#db/database.ts'
import type { Tokens } from './tokens.ts'

export type TokenKind =
  | 'signup'
  | 'invite'
  | 'magiclink'
  | 'recovery'
  | 'reauthentication'
  | 'email_change_current'
  | 'email_change_new'

/** The two secrets of a mail: the token of its link, with 56 hexadecimal digits, and a code for typing in. */
export interface MailedToken {
  token: string
  code: string
}

export interface RedeemedToken {
  user_id: string
  kind: TokenKind
  email: string
  drops_password: boolean
  code_challenge: string | null
  code_challenge_method: string | null
}

const tokenHash = (token: string) => createHash('sha256').update(token).digest('hex')
// The digest depends on the server's secret. Otherwise, somebody with a stolen hash could find its code by trying every
// possible code.
const codeHash = (tokens: Tokens, email: string, code: string) =>
  tokens.digest('one-time-code', `${email}\n${code}`).toString('hex')

/** Issues a link and a code for the account. If no account has this id, they are never valid. */
export async function issueToken(
  tx: Transaction,
  tokens: Tokens,
  purpose: {
    userId: string
    kind: TokenKind
    email: string
    codeLength: number
    dropsPassword?: boolean
    /** The client's PKCE challenge, if it wants the link to return a code. */
    challenge?: { challenge: string; method: string } | null
  },
): Promise<MailedToken> {
  // Clients recognize a link that returns a code by this prefix.
  const token = `${purpose.challenge ? 'pkce_' : ''}${randomBytes(28).toString('hex')}`
  const code = String(randomInt(10 ** purpose.codeLength)).padStart(purpose.codeLength, '0')
  await tx.query(
    `insert into auth.one_time_tokens (user_id, kind, email, token_hash, code_hash, drops_password,
       code_challenge, code_challenge_method)
     select id, $2, $3, $4, $5, $6::boolean, $7, $8 from auth.users where id = $1
     on conflict (user_id, kind) do update set email = excluded.email, token_hash = excluded.token_hash,
       code_hash = excluded.code_hash, created_at = now(), code_challenge = excluded.code_challenge,
       code_challenge_method = excluded.code_challenge_method,
       drops_password = auth.one_time_tokens.drops_password or excluded.drops_password`,
    [
      purpose.userId,
      purpose.kind,
      purpose.email,
      tokenHash(token),
      codeHash(tokens, purpose.email, code),
      String(purpose.dropsPassword ?? false),
      purpose.challenge?.challenge ?? null,
      purpose.challenge?.method ?? null,
    ],
  )
  return { token, code }
}

/**
 * Restarts the validity of a mailed token. `kind` is the beginning of its kind: `email_change` stands for both tokens
 * of a change of address.
 */
export async function renewTokens(
  db: Queryable,
  { kind, userId, email }: { kind: string; userId: string; email: string },
): Promise<void> {
  await db.query(
    `update auth.one_time_tokens set created_at = now()
     where user_id = $1 and email = $2 and starts_with(kind, $3) and created_at < now() - interval '1 minute'`,
    [userId, email, kind],
  )
}

export type Proof = { token: string } | { email: string; code: string }

/** Deletes the token and returns it, or undefined if it is unknown, used, replaced or older than `lifeSeconds`. */
export async function redeemToken(
  tx: Transaction,
  tokens: Tokens,
  proof: Proof,
  { kinds, lifeSeconds }: { kinds: readonly TokenKind[]; lifeSeconds: number },
): Promise<RedeemedToken | undefined> {
  const [column, hash, email] =
    'token' in proof
      ? ['token_hash', tokenHash(proof.token), null]
      : ['code_hash', codeHash(tokens, proof.email, proof.code), proof.email]
  const [row] = await tx.query<{ fresh: boolean }>(
    `delete from auth.one_time_tokens
     where ${column} = $1 and ($2::text is null or email = $2) and kind = any (string_to_array($3, ','))
     returning user_id, kind, email, drops_password, code_challenge, code_challenge_method,
       created_at > now() - make_interval(secs => $4::float8) as fresh`,
    [hash, email, kinds.join(','), String(lifeSeconds)],
  )
  return row?.fresh ? (row as unknown as RedeemedToken) : undefined
}
