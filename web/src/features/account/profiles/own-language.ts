import { useEffect } from 'react'
import { unwrap } from '#lib/errors.ts'
import { language, languages } from '#lib/language.ts'
import { openIn } from '#lib/language-choice.ts'
import { local, read, storageKeys, write } from '#lib/storage.ts'
import { read as readRows, supabase } from '#lib/supabase.ts'
import { profileToasts } from './profiles.messages.ts'

/** Goes on in this language, also in the mail of whoever is signed in and on their other devices. */
export async function chooseLanguage(code: string, userId?: string): Promise<void> {
  try {
    if (userId) await keepLanguage(userId, code)
    openIn(code)
  } catch (problem) {
    profileToasts.saveFailed(problem)
  }
}

/** Once a browser: a person reads what they have chosen, here or elsewhere, and else gets their mail in what they read. */
export function useOwnLanguage(userId: string): void {
  useEffect(() => {
    if (read(local, storageKeys.languageToldBy) !== userId)
      // Where that fails, as without a connection, the next page tries again.
      settle(userId).catch(() => undefined)
  }, [userId])
}

async function settle(userId: string): Promise<void> {
  const own = unwrap(await readRows('user_profiles').select('language').eq('user_id', userId).maybeSingle())
  // Somebody else may have chosen what this browser keeps.
  const chosen = own?.language ?? read(local, storageKeys.language) ?? language
  if (own?.language !== chosen) await keepLanguage(userId, chosen)
  write(local, storageKeys.languageToldBy, userId)
  if (languages.includes(chosen)) openIn(chosen)
}

async function keepLanguage(userId: string, code: string): Promise<void> {
  unwrap(await supabase().from('user_profiles').update({ language: code }).eq('user_id', userId))
}
