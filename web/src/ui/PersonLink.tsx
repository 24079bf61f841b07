import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'

interface PersonLinkProps {
  userId: string
  name: string
  /** Leads to what staff has about them, not to what everybody may know. */
  staff?: boolean
}

/** Somebody's name, which leads to their page and otherwise looks like the text it stands in. */
export function PersonLink({ userId, name, staff = false }: PersonLinkProps) {
  const to = staff ? '/admin/people/$personId' : '/people/$personId'
  return (
    <Anchor
      inherit
      c="inherit"
      underline="hover"
      renderRoot={(root) => <Link {...root} to={to} params={{ personId: userId }} />}
    >
      <bdi>{name}</bdi>
    </Anchor>
  )
}
