/** The sessionStorage key of the loaded track. After a full page load in the same tab, the player resumes it. */
export const trackKey = 'nocturne.track'
