import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'

interface PersonLinkProps {
  userId: string
  name: string
}

/** Somebody's name, which leads to their page and otherwise looks like the text it stands in. */
export function PersonLink({ userId, name }: PersonLinkProps) {
  return (
    <Anchor
      inherit
      c="inherit"
      underline="hover"
      renderRoot={(root) => <Link {...root} to="/people/$personId" params={{ personId: userId }} />}
    >
      {name}
    </Anchor>
  )
}
