import { Button } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

/** Leads people without savings to the plans they can join. */
export function BrowsePlansLink() {
  return (
    <Button component={Link} to="/available-subscriptions" leftSection={<IconSearch size={18} aria-hidden />}>
      Find a Plan to Join
    </Button>
  )
}
