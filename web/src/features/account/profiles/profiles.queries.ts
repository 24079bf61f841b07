import * as z from 'zod/mini'
import { nameOfAddress } from '#domain/text.ts'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import type { User } from '#lib/session.ts'
import { read, rpc } from '#lib/supabase.ts'

export const profileKeys = {
  all: ['profiles'],
  nameOf: (userId: string) => ['profiles', 'name', userId],
  own: (userId: string) => ['profiles', 'own', userId],
  end: (userId: string) => ['profiles', 'end', userId],
} as const

export interface PersonName {
  name: string
  avatarUrl: string | null
}

/** A person's own profile; fields they have not filled in are empty. */
export interface Profile {
  displayName: string
  fullName: string
  phoneNumber: string
  avatarUrl: string | null
}

/**
 * The signed-in person's name and picture: from their profile, or else from their sign-in provider or e-mail address.
 */
export const ownNameQuery = ({ id, name, email, avatarUrl }: User) =>
  query({
    key: profileKeys.nameOf(id),
    seen: true,
    staleTime: 5 * 60_000,
    load: async (signal): Promise<PersonName> => {
      const asked = read('user_profiles').select('display_name, avatar_url').eq('user_id', id)
      const profile = unwrap(await asked.abortSignal(signal).maybeSingle())
      return {
        name: profile?.display_name || name || nameOfAddress(email),
        avatarUrl: profile?.avatar_url ?? avatarUrl,
      }
    },
  })

/** The signed-in person's whole profile; all fields are empty if there is no row yet. */
export const ownProfileQuery = (userId: string) =>
  query({
    key: profileKeys.own(userId),
    load: async (signal): Promise<Profile> => {
      const asked = read('user_profiles').select('*').eq('user_id', userId)
      const row = unwrap(await asked.abortSignal(signal).maybeSingle())
      return {
        displayName: row?.display_name ?? '',
        fullName: row?.full_name ?? '',
        phoneNumber: row?.phone_number ?? '',
        avatarUrl: row?.avatar_url ?? null,
      }
    },
  })

const accountEndSchema = z.object({
  plans: z.array(
    z.object({
      ...{ id: z.string(), name: z.string(), currency: z.string() },
      ...{ members: z.number(), back: z.number(), owed: z.number() },
    }),
  ),
  /** The person's debts to former members. */
  debts: z.array(
    z.object({ member: z.string(), plan: z.string(), amount: z.number(), currency: z.string() }),
  ),
  coins: z.number(),
})

/**
 * The consequences of deleting the account: the shared plans that end for their members, those members' refunds, and
 * the person's remaining coins.
 */
export const accountEndQuery = (userId: string) =>
  query({
    key: profileKeys.end(userId),
    staleTime: 0,
    load: async (signal) => accountEndSchema.parse(await rpc('quote_account_end', {}, signal)),
  })
