import { dayOf } from '#domain/renewal.ts'
import { useChange } from '#lib/change.ts'
import { toAppError, unwrap } from '#lib/errors.ts'
import { withProof } from '#lib/proof.ts'
import { saveFile } from '#lib/save-file.ts'
import { leave } from '#lib/session.ts'
import { local, storageKeys, write } from '#lib/storage.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { callVault, DOES_NOT_OPEN } from '#lib/vault.ts'
import { profileToasts } from './profiles.messages.ts'
import { type Profile, profileKeys } from './profiles.queries.ts'

/** Saves the whole profile; the first save creates the row. */
export const useSaveProfile = (userId: string, onSaved: () => void) =>
  useChange({
    run: async (profile: Profile) => {
      const columns = {
        ...nameOf(profile.displayName),
        full_name: orNull(profile.fullName),
        phone_number: orNull(profile.phoneNumber),
        avatar_url: profile.avatarUrl,
      }
      await store(userId, columns)
    },
    fresh: [profileKeys.all],
    announces: { userProfileUpdated: { userId } },
    done: () => {
      profileToasts.saved()
      onSaved()
    },
    failed: profileToasts.saveFailed,
  })

/** Saves the person's display name. */
export const useSaveName = (userId: string, onSaved: () => void) =>
  useChange({
    run: (name: string) => store(userId, nameOf(name)),
    stale: [profileKeys.all],
    announces: { userProfileUpdated: { userId } },
    done: onSaved,
    failed: profileToasts.saveFailed,
  })

interface Columns {
  display_name: string | null
  name_unconfirmed: boolean
  full_name?: string | null
  phone_number?: string | null
  avatar_url?: string | null
}

async function store(userId: string, columns: Columns): Promise<void> {
  const profiles = supabase().from('user_profiles')
  const dated = { ...columns, updated_at: new Date().toISOString() }
  const updated = unwrap(await profiles.update(dated).eq('user_id', userId).select('user_id'))
  if (updated.length === 0) unwrap(await profiles.insert({ user_id: userId, ...columns }))
}

/** Downloads all data about the signed-in person as a JSON file. */
export const useExportData = () =>
  useChange({
    run: async () => {
      const data = unwrap(await supabase().rpc('export_own_data')) as {
        shared_plans: { id: string; login_name?: unknown }[] | null
      }
      // The database cannot decrypt account logins; the vault function can.
      for (const plan of data.shared_plans ?? []) plan.login_name = await loginOf(plan.id)
      const name = `potluck-${dayOf(new Date())}.json`
      saveFile(name, 'application/json', JSON.stringify(data, null, 2))
    },
    failed: profileToasts.exportFailed,
  })

/** Deletes the account, then ends this browser's session. `giveUpCoins` forfeits a balance too small to withdraw. */
export const useDeleteAccount = (userId: string) =>
  useChange({
    run: async (giveUpCoins: boolean) => {
      await withProof(() => rpc('delete_own_account', { p_give_up_coins: giveUpCoins }))
      await leave(() => supabase().auth.signOut({ scope: 'local' }))
      write(local, storageKeys.knownDevice, null)
    },
    // A refusal shows that the consequences of deleting the account have changed since they were loaded.
    stale: (problem) => (problem ? [profileKeys.end(userId)] : []),
    done: profileToasts.deleted,
    failed: profileToasts.deleteFailed,
  })

/**
 * Returns the account login of a plan, or null if it cannot be decrypted: one such login must not make the whole
 * download fail.
 */
const loginOf = (planId: string) =>
  callVault('open-plan-login', { plan: planId }).then(
    (opened) => (opened as { login: string | null }).login,
    (problem) => (toAppError(problem).code === DOES_NOT_OPEN ? null : Promise.reject(problem)),
  )

/**
 * Returns the columns for a typed name. If the name is empty, the database uses the first part of the e-mail address.
 */
const nameOf = (typed: string) => ({
  display_name: orNull(typed),
  name_unconfirmed: orNull(typed) === null,
})

const orNull = (text: string) => text.trim() || null
