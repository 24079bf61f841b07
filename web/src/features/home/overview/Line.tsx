import { List, Text, ThemeIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Money } from '#ui/Money.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import classes from './Line.module.css'

interface LineProps {
  /** The logo of the line's subject, such as a provider; a bell by default. */
  mark?: ReactNode
  /** The name of the person the line is about, whose picture is shown on the mark. */
  person?: string | null
  avatarUrl?: string | null
  title: ReactNode
  /** Details, such as the plan or a time. */
  about?: ReactNode
  amount?: number | null
  currency?: string
  /** The action. With `below`, the action takes the full width below the line on a phone. */
  children?: ReactNode
  below?: boolean
}

/** One entry of a list on one line: subject, title, amount and action. */
export function Line({
  mark,
  person,
  avatarUrl,
  title,
  about,
  amount,
  currency = 'EUR',
  children,
  below,
}: LineProps) {
  const sum = amount != null && (
    <Money amount={amount} currency={currency} fw={650} className={classes.amount} />
  )
  return (
    <List.Item className={classes.line} data-below={below || undefined}>
      <div className={classes.mark}>
        {mark ?? (
          <ThemeIcon variant="light" size={48} radius="md">
            <IconBell size={24} aria-hidden />
          </ThemeIcon>
        )}
        {avatarUrl && <PersonAvatar name={person ?? ''} src={avatarUrl} size={26} className={classes.face} />}
      </div>
      <div className={classes.words}>
        <Text fw={600} lh={1.35} component="div">
          {title}
        </Text>
        {about && (
          <Text size="sm" c="dimmed" component="div" className={classes.about}>
            {about}
          </Text>
        )}
      </div>
      <div className={classes.end}>
        {sum}
        {children && <div className={classes.acts}>{children}</div>}
      </div>
    </List.Item>
  )
}

/** {@link Line}s, one below the other. */
export const Lines = ({ children }: { children: ReactNode }) => (
  <List listStyleType="none" className={classes.list}>
    {children}
  </List>
)
