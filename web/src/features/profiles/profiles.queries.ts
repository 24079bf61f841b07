import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '#lib/errors.ts'
import type { User } from '#lib/session.ts'
import { supabase } from '#lib/supabase.ts'

const profileKeys = { nameOf: (userId: string) => ['profiles', 'name', userId] } as const

export interface PersonName {
  name: string
  avatarUrl: string | null
}

/** How the signed-in person is called and pictured: their profile, else their sign-in provider, else their address. */
export const ownNameQuery = ({
  id,
  email,
  name,
  avatarUrl,
}: Pick<User, 'id' | 'email' | 'name' | 'avatarUrl'>) =>
  queryOptions({
    queryKey: profileKeys.nameOf(id),
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }): Promise<PersonName> => {
      const asked = supabase().from('user_profiles').select('display_name, avatar_url').eq('user_id', id)
      const profile = unwrap(await asked.abortSignal(signal).maybeSingle())
      return {
        name: profile?.display_name || name || email.replace(/@.*$/, ''),
        avatarUrl: profile?.avatar_url ?? avatarUrl,
      }
    },
  })
