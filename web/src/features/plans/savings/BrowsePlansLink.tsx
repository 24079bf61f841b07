import { t } from '@lingui/core/macro'
import { IconSearch } from '@tabler/icons-react'
import { LinkButton } from '#ui/links.tsx'

/** A link to the plans to join, for people without savings. */
export const BrowsePlansLink = () => (
  <LinkButton to="/available-subscriptions" leftSection={<IconSearch size={18} aria-hidden />}>
    {t`Find a Plan to Join`}
  </LinkButton>
)
