import { t } from '@lingui/core/macro'
import { ActionIcon } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useCanGoBack, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import classes from './Shell.module.css'

/** The back button on a phone: to /admin from its subpages, otherwise back in history, otherwise home. */
export function BackButton() {
  const { pathname } = useLocation()
  const canGoBack = useCanGoBack()
  const { history } = useRouter()
  const navigate = useNavigate()
  const atTheStart = pathname === '/' && !canGoBack
  if (atTheStart || pathname.includes('/subscription/')) return null

  const goBack = () => {
    if (pathname.startsWith('/admin/')) void navigate({ href: '/admin' })
    else if (canGoBack) history.back()
    else void navigate({ to: '/' })
  }
  return (
    <ActionIcon
      className={classes.narrow}
      onClick={goBack}
      aria-label={t`Back`}
      style={{ marginInlineStart: -10 }}
    >
      <IconChevronLeft size={24} />
    </ActionIcon>
  )
}
