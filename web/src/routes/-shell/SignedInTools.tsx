import { ChatInbox } from '#features/chat/ChatInbox.tsx'
import { NotificationBell } from '#features/notifications/NotificationBell.tsx'
import { ChatAside } from '#features/problems/ChatAside.tsx'
import type { User } from '#lib/session.ts'
import { AvatarMenu } from './AvatarMenu.tsx'
import { RequestBell } from './RequestBell.tsx'
import classes from './Shell.module.css'

/** What the top bar offers a signed-in person; visitors never load it. */
export function SignedInTools({ user }: { user: User }) {
  return (
    <>
      <RequestBell userId={user.id} />
      <ChatInbox
        userId={user.id}
        aside={({ parties }, close) => <ChatAside parties={parties} userId={user.id} onLeave={close} />}
      />
      <NotificationBell key={user.id} userId={user.id} />
      <div className={classes.wide}>
        <AvatarMenu user={user} />
      </div>
    </>
  )
}
