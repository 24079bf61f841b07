import { useLive } from '#lib/live.ts'
import { vaultKeys } from './vault.queries.ts'

/** Keeps current what is known of a plan's entry, and whether the signed-in person may open it. */
export function useVaultLive(planId: string, userId: string): void {
  useLive(
    `vault-${planId}`,
    [
      // A new version is told; so is that one's own place has ended.
      { table: 'user_notifications', filter: `user_id=eq.${userId}`, event: 'INSERT' },
      // Who pays through the site may open it once they have paid, and not while they are late.
      { table: 'member_payments', filter: `subscription_id=eq.${planId}` },
      // Somebody has left, who may know the password.
      { table: 'shared_subscriptions', filter: `id=eq.${planId}`, event: 'UPDATE' },
    ],
    { keys: [vaultKeys.ofPlan(planId)] },
  )
}

/** Keeps current whose passwords are to be changed: that somebody has left is told. */
export function usePasswordsDueLive(userId: string): void {
  useLive(
    `passwords-due-${userId}`,
    [{ table: 'user_notifications', filter: `user_id=eq.${userId}`, event: 'INSERT' }],
    { keys: [vaultKeys.due] },
  )
}
