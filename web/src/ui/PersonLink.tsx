import { t } from '@lingui/core/macro'
import { LinkAnchor } from './links.tsx'

/** The name of every closed account; these have no page. */
export const GONE = t`Deleted account`

interface PersonLinkProps {
  /** Null if the reader may not know the person. */
  userId: string | null
  name: string
  /** Links to the staff's page about the person instead of the public one. */
  staff?: boolean
  /** Data attribute that names the key which presses this link in a queue. */
  pressed?: { 'data-pressed-by': string }
  /** Puts the name on its own line, and cuts it off if it is too long. */
  truncate?: boolean
  /** Called when the link is followed, to close an element around it that would cover the page. */
  onFollow?: () => void
}

/** A person's name that links to their page and otherwise looks like the text around it. */
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
