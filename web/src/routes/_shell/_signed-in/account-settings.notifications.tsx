import { t } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { AlertsCard } from '#features/account/notifications/AlertsCard.tsx'
import { NotificationsCard } from '#features/account/notifications/NotificationsCard.tsx'
import { AlertList } from '#features/plans/browse/AlertList.tsx'
import { useUser } from '#lib/session.ts'
import { AccountSettings } from './-AccountSettings.tsx'

/** Settings for notifications by mail and push, and for toasts. */
export const Route = createFileRoute('/_shell/_signed-in/account-settings/notifications')({
  component: Notifications,
})

function Notifications() {
  return (
    <AccountSettings title={t`Notifications`}>
      <NotificationsCard />
      <AlertList userId={useUser().id} />
      <AlertsCard />
    </AccountSettings>
  )
}
