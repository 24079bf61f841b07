import { NotificationBell } from '#features/account/notifications/NotificationBell.tsx'
import { useOwnLanguage } from '#features/account/profiles/own-language.ts'
import { homeKeys } from '#features/home/overview/home.queries.ts'
import { useSendSaidPaid } from '#features/money/payments/said-paid.ts'
import { ChatInbox } from '#features/people/chat/ChatInbox.tsx'
import type { User } from '#lib/session.ts'
import { useOwnTimeZone } from '#lib/time-zone.ts'
import { AvatarMenu } from './AvatarMenu.tsx'
import { RequestBell } from './RequestBell.tsx'
import classes from './Shell.module.css'

/** The top bar's tools for a signed-in person; visitors never load them. */
export function SignedInTools({ user }: { user: User }) {
  useSendSaidPaid(user.id, homeKeys.all)
  useOwnLanguage(user.id)
  useOwnTimeZone(user.id)
  return (
    <>
      <RequestBell userId={user.id} />
      <ChatInbox userId={user.id} />
      <NotificationBell key={user.id} userId={user.id} />
      <div className={classes.wide}>
        <AvatarMenu user={user} />
      </div>
    </>
  )
}
