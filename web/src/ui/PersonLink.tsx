import { t } from '@lingui/core/macro'
import { LinkAnchor } from './links.tsx'

/** The name of every closed account; these have no page any more. */
export const GONE = t`Deleted account`

interface PersonLinkProps {
  /** Null if the reader is not told who it is. */
  userId: string | null
  name: string
  /** Leads to the staff's page about them instead of the public one. */
  staff?: boolean
  /** The key that presses it in a queue. */
  pressed?: { 'data-pressed-by': string }
  /** Alone in its line, and cut off where that ends. */
  truncate?: boolean
  /** Closes whatever contains the name, if it would cover the page. */
  onFollow?: () => void
}

/** Somebody's name, which links to their page and otherwise looks like the text around it. */
export function PersonLink({ userId, name, staff = false, pressed, truncate, onFollow }: PersonLinkProps) {
  if (userId === null || (name === GONE && !staff)) return <bdi>{name}</bdi>
  const to = staff ? '/admin/people/$personId' : '/people/$personId'
  return (
    <LinkAnchor
      inherit
      ff="inherit"
      fw="inherit"
      c="inherit"
      underline="hover"
      {...pressed}
      {...(truncate && { truncate, display: 'block', py: 2, w: 'fit-content', maw: '100%' })}
      onClick={onFollow}
      to={to}
      params={{ personId: userId }}
    >
      <bdi>{name}</bdi>
    </LinkAnchor>
  )
}
