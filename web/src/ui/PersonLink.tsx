import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'

/** What everybody is called whose account has ended, and who has no page any more. */
const GONE = 'Deleted account'

interface PersonLinkProps {
  /** Null where the reader is not told who it is. */
  userId: string | null
  name: string
  /** Leads to what staff has about them, not to what everybody may know. */
  staff?: boolean
  /** Which keys press it in a queue. */
  pressed?: { 'data-pressed-by': string }
  /** Closes what the name stands in, if that would stay in front of the page. */
  onFollow?: () => void
}

/** Somebody's name, which leads to their page and otherwise looks like the text it stands in. */
export function PersonLink({ userId, name, staff = false, pressed, onFollow }: PersonLinkProps) {
  if (userId === null || (name === GONE && !staff)) return <bdi>{name}</bdi>
  const to = staff ? '/admin/people/$personId' : '/people/$personId'
  return (
    <Anchor
      inherit
      c="inherit"
      underline="hover"
      {...pressed}
      onClick={onFollow}
      renderRoot={(root) => <Link {...root} to={to} params={{ personId: userId }} />}
    >
      <bdi>{name}</bdi>
    </Anchor>
  )
}
