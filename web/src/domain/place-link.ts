/** The link with which a guest opens their place. The secret is in the fragment, which browsers send to no server. */
export const placeLink = (secret: string): string => `${location.origin}/place#${secret}`

/** The fragment of a plan page's address that opens what its owner does for the guest with this seat. */
export const guestHash = (seatId: string): string => `guest-${seatId}`
