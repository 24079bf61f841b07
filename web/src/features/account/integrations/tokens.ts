import { t } from '@lingui/core/macro'
import type { LIMITS } from '@potluck/supabase/limits'
import { camel, type RowOf } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { config } from '#lib/config.ts'
import { answerOf } from '#lib/errors.ts'
import { withProof } from '#lib/proof.ts'
import { query } from '#lib/query.ts'
import { SECURITY } from '#lib/security.ts'
import { rpc } from '#lib/supabase.ts'
import { toastError } from '#ui/toasts.ts'

export type Scope = (typeof LIMITS.tokenScopes)[number]

/** Titles and descriptions of the token scopes. */
export const SCOPES: Record<Scope, { title: string; text: string }> = {
  'read plans': {
    title: t`Read plans`,
    text: t`Your plans, places, requests and notifications, and the marketplace`,
  },
  'write plans': { title: t`Change plans`, text: t`Share and edit plans, ask for a place, answer requests` },
  'read money': { title: t`Read money`, text: t`Your payments, coins, invoices and statements` },
  chat: { title: t`Chat`, text: t`Read and write your messages` },
  drafts: { title: t`Draft messages`, text: t`Read your messages and leave drafts, which only you can send` },
}

/** A token of the signed-in person, without the secret. Times are ISO. */
export type Token = RowOf<'my_api_tokens', 'lastUsedAt', { scopes: Scope[] }>

/** The signed-in person's tokens, newest first. */
export const tokensQuery = query({
  key: [...SECURITY, 'tokens'],
  load: async (signal) => (await rpc('my_api_tokens', {}, signal)).map(camel<Token>),
})

/** The base URL for programs. */
export const functionAddress = (name: 'api' | 'mcp') =>
  `${config().supabaseUrl.replace(/\/+$/, '')}/functions/v1/${name}`

interface NewToken {
  name: string
  scopes: Scope[]
  /** Lifetime of the token. */
  days: number
}

/** Creates a token and returns its secret, which cannot be read again. */
export const useMakeToken = () =>
  useChange({
    run: ({ name, scopes, days }: NewToken) =>
      withProof(() => rpc('make_api_token', { p_name: name, p_scopes: scopes, p_days: days })),
    stale: [SECURITY],
    failed: (problem) => toastError(t`No token was made`, answerOf(problem, t`Please try again.`)),
  })

export const useEndToken = (onDone: () => void) =>
  useChange({
    run: ({ id }: Token) => rpc('end_api_token', { p_id: id }),
    stale: [SECURITY],
    done: onDone,
    failed: (problem) => toastError(t`The token was not removed`, answerOf(problem, t`Please try again.`)),
  })
