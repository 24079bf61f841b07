import { useEffect } from 'react'
import { unwrap } from '#lib/errors.ts'
import { language, languages } from '#lib/language.ts'
import { openIn } from '#lib/language-choice.ts'
import { local, read, storageKeys, write } from '#lib/storage.ts'
import { read as readRows, supabase } from '#lib/supabase.ts'
import { profileToasts } from './profiles.messages.ts'

/**
 * True once the person has chosen a language on this page. Nothing may replace that choice until the chosen language's
 * page opens.
 */
let isChosen = false

/**
 * Switches the page to a language. For a signed-in person, also sets the language of their mail and their other
 * devices.
 */
export async function chooseLanguage(code: string, userId?: string): Promise<void> {
  isChosen = true
  try {
    if (userId) {
      unwrap(await supabase().from('user_profiles').update({ language: code }).eq('user_id', userId))
      write(local, storageKeys.languageToldBy, userId)
    }
    openIn(code)
  } catch (problem) {
    isChosen = false
    profileToasts.saveFailed(problem)
  }
}

/**
 * Opens the page in the language of the person's profile, once per browser and person. If the profile has none, saves
 * this browser's language there, for the person's mail.
 */
export function useOwnLanguage(userId: string): void {
  useEffect(() => {
    if (!isTold(userId))
      // After a failure, such as a lost connection, the next page load tries again.
      settle(userId).catch(() => undefined)
  }, [userId])
}

async function settle(userId: string): Promise<void> {
  const own = unwrap(await readRows('user_profiles').select('language').eq('user_id', userId).maybeSingle())
  if (isChosen) return
  // The profile takes precedence: the language stored in this browser may be another person's choice.
  const chosen = own?.language ?? read(local, storageKeys.language) ?? language
  if (!own?.language)
    unwrap(
      await supabase()
        .from('user_profiles')
        .update({ language: chosen })
        .eq('user_id', userId)
        .is('language', null),
    )
  if (isChosen) return
  write(local, storageKeys.languageToldBy, userId)
  if (languages.includes(chosen)) openIn(chosen)
}

const isTold = (userId: string) => read(local, storageKeys.languageToldBy) === userId
