import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'

interface PersonLinkProps {
  userId: string
  name: string
  /** Leads to what staff has about them, not to what everybody may know. */
  staff?: boolean
  /** Which keys press it in a queue. */
  pressed?: { 'data-pressed-by': string }
}

/** Somebody's name, which leads to their page and otherwise looks like the text it stands in. */
export function PersonLink({ userId, name, staff = false, pressed }: PersonLinkProps) {
  const to = staff ? '/admin/people/$personId' : '/people/$personId'
  return (
    <Anchor
      inherit
      c="inherit"
      underline="hover"
      {...pressed}
      renderRoot={(root) => <Link {...root} to={to} params={{ personId: userId }} />}
    >
      <bdi>{name}</bdi>
    </Anchor>
  )
}
