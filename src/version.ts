// Which yore is this? Kept equal to package.json by a test.

export const yoreVersion = '0.1.0'
