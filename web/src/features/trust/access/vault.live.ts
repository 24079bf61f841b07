import { useLive } from '#lib/live.ts'
import { vaultKeys } from './vault.queries.ts'

/** Keeps current a plan's vault entry, and whether the signed-in person may open it. */
export function useVaultLive(planId: string, userId: string): void {
  useLive(
    `vault-${planId}`,
    [
      // The person gets a notification of a new version, and of the end of their place.
      { table: 'user_notifications', filter: `user_id=eq.${userId}`, event: 'INSERT' },
      // Members who pay through the site may open the entry once they have paid, and not while they are late.
      { table: 'member_payments', filter: `subscription_id=eq.${planId}` },
      // A member may have left, so that the password must be changed.
      { table: 'shared_subscriptions', filter: `id=eq.${planId}`, event: 'UPDATE' },
    ],
    { keys: [vaultKeys.ofPlan(planId)] },
  )
}

/** Keeps the list of passwords to change current. The owner gets a notification when a member leaves. */
export function usePasswordsDueLive(userId: string): void {
  useLive(
    `passwords-due-${userId}`,
    [{ table: 'user_notifications', filter: `user_id=eq.${userId}`, event: 'INSERT' }],
    { keys: [vaultKeys.due] },
  )
}
