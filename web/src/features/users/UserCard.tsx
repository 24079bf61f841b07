import { Card, Text } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import classes from './UserCard.module.css'
import type { ListedUser } from './users.queries.ts'

/** Somebody with an account, and at the end of the line their role. */
export function UserCard({ user, role }: { user: ListedUser; role: ReactNode }) {
  const { name, email, avatarUrl, createdAt } = user
  const title = useId()
  return (
    <Card component="article" aria-labelledby={title} padding="md">
      <div className={classes.user}>
        <div className={classes.person}>
          <PersonAvatar name={name} src={avatarUrl} />
          <div className={classes.words}>
            <Text fw={600} id={title}>
              <PersonLink staff userId={user.id} name={name} />
            </Text>
            <Text size="sm" c="dimmed">
              {email !== null && (
                <>
                  <bdi>{email}</bdi> ·{' '}
                </>
              )}
              joined <RelativeDate date={createdAt} />
            </Text>
          </div>
        </div>
        <div className={classes.role}>{role}</div>
      </div>
    </Card>
  )
}
